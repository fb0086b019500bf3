// Restrictions to certain files: reading the environment, SQL, type assertions.
import {
  type Complaint,
  is,
  isTest,
  literal,
  type Piece,
  type Tree,
  walk,
  walkFile,
} from './tree.ts'

type Bound = {
  /** The files that the check looks at. */
  within: RegExp
  /** The files among them that may do it. */
  except: RegExp | null
  /** Whether tests may do it as well. */
  tests: boolean
  breaks: (piece: Piece) => boolean
  sentence: string
}

const bounds: readonly Bound[] = [
  {
    within: /^src\//,
    except: /^src\/config\/config\.ts$/,
    tests: true,
    breaks: readsEnvironment,
    sentence: 'reads the environment; only src/config/config.ts does',
  },
  {
    within: /^src\//,
    except: /^src\/db\/|\.sql\.ts$/,
    tests: true,
    breaks: (piece) =>
      is(piece, 'CallExpression') && is(piece.callee, 'Identifier', { name: 'statement' }),
    sentence: 'declares a statement; SQL stands in *.sql.ts',
  },
  {
    within: /^src\//,
    except: /^src\/kit\/clock\.ts$/,
    tests: true,
    breaks: readsTimeOrChance,
    sentence: 'reads time or chance directly; only src/kit/clock.ts does',
  },
  {
    within: /^src\/capabilities\//,
    except: null,
    tests: true,
    breaks: bringsOwnTimeOrChance,
    sentence: "brings its own time or chance; take the App's (clock, calendar, chance ...)",
  },
  {
    within: /^src\/(capabilities|oauth|surfaces)\//,
    except: null,
    tests: true,
    breaks: distinguishesOutages,
    sentence: 'distinguishes errors of the database; use src/errors/classify.ts',
  },
  {
    within: /^test\/|\.(test|fixture)\.ts$|\/fixtures\//,
    except: /\.process\.test\.ts$|^test\/support\/global-setup\.ts$/,
    tests: false,
    breaks: writesEnvironment,
    sentence:
      'writes process.env, which other test files of the process share; name it *.process.test.ts',
  },
  {
    within: /\.tsx?$/,
    except: /^src\/kit\/|\.gen\.ts$/,
    tests: false,
    breaks: assertsType,
    sentence: 'asserts a type with `as`; narrow it, parse it, or use `satisfies`',
  },
]

/** Every piece of code that does something its file may not do. */
export function checkBounds(tree: Tree): Complaint[] {
  const complaints: Complaint[] = []
  for (const file of tree.files.filter((file) => /\.tsx?$/.test(file))) {
    const here = bounds.filter(
      ({ within, except, tests }) =>
        within.test(file) && !except?.test(file) && !(tests && isTest(file)),
    )
    if (here.length === 0) continue
    const unread = walkFile(tree, file, (piece) => {
      for (const { breaks, sentence } of here)
        if (breaks(piece)) complaints.push(`${file}:${piece.line} ${sentence}`)
    })
    complaints.push(...unread)
  }
  return complaints
}

function readsEnvironment(piece: Piece): boolean {
  const isEnvironment = (name: unknown) =>
    is(name, 'Identifier', { name: 'env' }) || literal(name) === 'env'
  const isProcess = (name: unknown) => is(name, 'Identifier', { name: 'process' })
  if (piece.type === 'ImportDeclaration')
    return (
      /^(node:)?process$/.test(literal(piece.source) ?? '') &&
      Array.isArray(piece.specifiers) &&
      piece.specifiers.some(({ imported }) => isEnvironment(imported))
    )
  if (piece.type === 'VariableDeclarator') return isProcess(piece.init) && !isProcess(piece.id)
  return (
    piece.type === 'MemberExpression' && isProcess(piece.object) && isEnvironment(piece.property)
  )
}

/** Assigns to process.env or to one of its variables, deletes one, or hands it to Object.assign. */
function writesEnvironment(piece: Piece): boolean {
  const changed = [
    piece.type === 'AssignmentExpression' && piece.left,
    is(piece, 'UnaryExpression', { operator: 'delete' }) && piece.argument,
    piece.type === 'CallExpression' &&
    Array.isArray(piece.arguments) &&
    isObjectAssign(piece.callee)
      ? piece.arguments[0]
      : false,
  ].find((part) => part)
  let written = false
  walk(changed, (part) => {
    if (readsEnvironment(part)) written = true
  })
  return written
}

function isObjectAssign(callee: unknown): boolean {
  let named = false
  walk(callee, (part) => {
    if (part.type !== 'MemberExpression') return
    named =
      is(part.object, 'Identifier', { name: 'Object' }) &&
      is(part.property, 'Identifier', { name: 'assign' })
  })
  return named
}

const readings: readonly [object: string, property: string][] = [
  ['Date', 'now'],
  ['Math', 'random'],
  ['performance', 'now'],
  ['performance', 'timeOrigin'],
  ['process', 'hrtime'],
  ['process', 'uptime'],
]

/**
 * Finds it also as a value (`const now = Date.now`), in brackets, and taken out (`const { now } =
 * Date`).
 */
function readsTimeOrChance(piece: Piece): boolean {
  const isNamed = (part: unknown, name: string) => is(part, 'Identifier', { name })
  if (piece.type === 'NewExpression' || piece.type === 'CallExpression') {
    const without = Array.isArray(piece.arguments) && piece.arguments.length === 0
    if (isNamed(piece.callee, 'Date')) return without || piece.type === 'CallExpression'
  }
  if (piece.type === 'VariableDeclarator') {
    const taken = ['Date', 'Math', 'performance'].some((name) => isNamed(piece.init, name))
    return taken && is(piece.id, 'ObjectPattern')
  }
  if (piece.type !== 'MemberExpression') return false
  return readings.some(
    ([object, property]) =>
      isNamed(piece.object, object) &&
      (isNamed(piece.property, property) || literal(piece.property) === property),
  )
}

function bringsOwnTimeOrChance(piece: Piece): boolean {
  if (piece.type !== 'ImportDeclaration' || !Array.isArray(piece.specifiers)) return false
  const own = ['systemClock', 'monotonicMs', 'systemChance']
  return piece.specifiers.some(({ imported }) =>
    own.some((name) => is(imported, 'Identifier', { name })),
  )
}

function distinguishesOutages(piece: Piece): boolean {
  return (
    is(piece, 'BinaryExpression', { operator: 'instanceof' }) &&
    ['DatabaseUnavailable', 'CommitUnknown'].some((name) => is(piece.right, 'Identifier', { name }))
  )
}

function assertsType(piece: Piece): boolean {
  if (is(piece, 'TSTypeAssertion')) return true
  if (!is(piece, 'TSAsExpression')) return false
  const type: unknown = piece.typeAnnotation
  if (!is(type, 'TSTypeReference')) return true
  let isConst = false
  walk(type, (part) => {
    if (is(part, 'Identifier', { name: 'const' })) isConst = true
  })
  return !isConst
}
