// Who may import whom: the floors of the registrar as data, and a check that no import goes up,
// sideways or round.
import { posix } from 'node:path'
import { type Complaint, isTest, literal, type Piece, type Tree, walkFile } from './tree.ts'

/**
 * From the ground up. A room is a folder or a file of src; `x/*` makes each folder in x a room of
 * its own.
 */
const floors: readonly { name: string; rooms: readonly string[] }[] = [
  { name: 'ground', rooms: ['kit'] },
  { name: 'doors', rooms: ['db', 'adapters/*', 'epp'] },
  { name: 'works', rooms: ['ledger', 'tasks', 'session-leases', 'config.ts', 'config-readers.ts'] },
  { name: 'app', rooms: ['app.ts', 'principals.ts', 'errors'] },
  { name: 'rooms', rooms: ['capabilities/*', 'oauth'] },
  { name: 'entrance', rooms: ['*'] },
]

/**
 * The declared steps to a neighbour on the same floor. Between rooms of the `rooms` floor only its
 * index.ts is open.
 */
const sideways: readonly [from: string, to: string][] = [
  ['adapters/registry', 'epp'],
  ['config.ts', 'config-readers.ts'],
  ['app.ts', 'principals.ts'],
  ['capabilities/domains', 'capabilities/pricing'],
  ['capabilities/domains', 'capabilities/contacts'],
  ['capabilities/domains', 'capabilities/account'],
  ['capabilities/domains', 'capabilities/audit'],
  ['capabilities/domains', 'capabilities/mail'],
  ['capabilities/account', 'capabilities/mail'],
  ['capabilities/api-keys', 'capabilities/account'],
  ['capabilities/api-keys', 'capabilities/mail'],
  ['capabilities/contacts', 'capabilities/mail'],
  ['capabilities/health', 'capabilities/mail'],
  ['capabilities/health', 'capabilities/audit'],
  ['capabilities/contacts', 'capabilities/account'],
  ['capabilities/contacts', 'capabilities/audit'],
  ['capabilities/pricing', 'capabilities/audit'],
  ['capabilities/sandbox', 'capabilities/audit'],
  ['capabilities/top-ups', 'capabilities/account'],
  ['capabilities/sign-in', 'capabilities/account'],
  ['capabilities/sign-in', 'capabilities/api-keys'],
  ['capabilities/sign-in', 'capabilities/audit'],
  ['capabilities/sign-in', 'capabilities/mail'],
  ['oauth', 'capabilities/sign-in'],
  ['oauth', 'capabilities/account'],
  ['oauth', 'capabilities/api-keys'],
  ['oauth', 'capabilities/audit'],
  ['oauth', 'capabilities/balance'],
  ['oauth', 'capabilities/mail'],
  ['capabilities/customer-tool', 'capabilities/account'],
]

/**
 * Registrars of their own: they and src know nothing of each other, so that a mistake in one cannot
 * hide in the other.
 */
const apart = ['sandbox', 'sdk', 'dashboard']

type Place = { room: string; floor: number }
type Import = { file: string; line: number; to: string }

/**
 * Every import of our own files that breaks the order of the floors. Tests in src may import what
 * they try.
 */
export function checkFloors(tree: Tree): Complaint[] {
  const imports: Import[] = []
  const unread = tree.files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      walkFile(tree, file, (piece) => {
        const target = imported(piece)
        if (target?.startsWith('.'))
          imports.push({ file, line: piece.line, to: posix.join(posix.dirname(file), target) })
      }),
    )
  const shipped = imports.filter(({ file }) => !isTest(file))
  return [...unread, ...imports.flatMap(judge), ...circles(shipped)]
}

const importing =
  /^(ImportDeclaration|ExportNamedDeclaration|ExportAllDeclaration|ImportExpression|TSImportType)$/

function imported(piece: Piece): string | null {
  return importing.test(piece.type) ? literal(piece.source) : null
}

function judge({ file, line, to }: Import): Complaint[] {
  const complain = (sentence: string) => [`${file}:${line} imports ${to}: ${sentence}`]
  const [from, target] = [registrar(file), registrar(to)]
  if (from === 'src' && isTest(file)) return []
  if (from === 'src' && apart.includes(target)) return complain(`src knows nothing of ${target}`)
  if (from === 'src' && isTest(to)) return complain('only tests import what is for tests')
  if (apart.includes(from) && target === 'src') return complain(`${from} knows nothing of src`)
  if (from !== 'src' || target !== 'src') return []

  const [here, there] = [place(file), place(to)]
  if (there.floor > here.floor)
    return complain(`upward, from ${floorName(here)} to ${floorName(there)}`)
  if (there.floor < here.floor || here.room === there.room) return []
  if (!sideways.some(([a, b]) => a === here.room && b === there.room))
    return complain(`sideways, and ${here.room} -> ${there.room} is not declared`)
  if (floorName(here) === 'rooms' && posix.basename(to) !== 'index.ts')
    return complain('another room is entered by its index.ts')
  return []
}

function registrar(file: string): string {
  return file.split('/')[0] ?? ''
}

function floorName(place: Place): string {
  return floors[place.floor]?.name ?? ''
}

function place(file: string): Place {
  const [, first = '', second = ''] = file.split('/')
  for (const [floor, { rooms }] of floors.entries())
    for (const room of rooms) {
      if (room === first) return { room, floor }
      if (room === `${first}/*`) return { room: `${first}/${second}`, floor }
      if (room === '*') return { room: 'entrance', floor }
    }
  throw new Error(`${file} is on no floor`)
}

/** One complaint for each group of files that import each other in a circle, types included. */
function circles(imports: Import[]): Complaint[] {
  const edges = Map.groupBy(imports, ({ file }) => file)
  const done = new Set<string>()
  const found: Complaint[] = []
  const visit = (file: string, path: string[]) => {
    const at = path.indexOf(file)
    if (at >= 0) found.push(`circular: ${[...path.slice(at), file].join(' -> ')}`)
    if (at >= 0 || done.has(file)) return
    for (const { to } of edges.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of edges.keys()) visit(file, [])
  return found
}
