// One name, one thing: within a module, no two files have the same base name and no two exports the
// same name, so that a search for a name ends in one place.
import { posix } from 'node:path'
import { type Complaint, is, reportUnreadable, type Tree, walk } from './tree.ts'

/** The base names and exported names that a module has twice. */
export function checkNames(tree: Tree): Complaint[] {
  const places = new Map<string, Set<string>>()
  const note = (key: string, file: string) => {
    places.set(key, (places.get(key) ?? new Set()).add(file))
  }
  const unread = tree.files.filter(isNamed).flatMap((file) => {
    note(`${moduleOf(file)} file ${posix.basename(file)}`, file)
    return reportUnreadable(() => {
      for (const name of exportsOf(tree, file)) note(`${moduleOf(file)} export ${name}`, file)
    })
  })
  const twice = [...places].filter(([, files]) => files.size > 1)
  return [
    ...unread,
    ...twice.map(([key, files]) => `${key} twice: ${[...files].join(', ')}`),
    ...tree.files.filter(isNamed).flatMap((file) => textsElsewhere(tree, file)),
  ]
}

/** Exported objects named `...Texts` in a file whose name does not say so. */
function textsElsewhere(tree: Tree, file: string): Complaint[] {
  if (file.endsWith('-texts.ts')) return []
  const complaints: Complaint[] = []
  reportUnreadable(() => {
    for (const statement of tree.parse(file).program.body) {
      const declaration =
        statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined
      if (declaration?.type !== 'VariableDeclaration') continue
      for (const { id, init } of declaration.declarations)
        if (id.type === 'Identifier' && id.name.endsWith('Texts') && isObject(init))
          complaints.push(`${file} exports ${id.name}: a file of texts ends in -texts.ts`)
    }
  })
  return complaints
}

/** Also `{...} as const` and `{...} satisfies Texts`. */
function isObject(value: unknown): boolean {
  return is(value, 'ObjectExpression') || is(Object(value).expression, 'ObjectExpression')
}

function isNamed(file: string): boolean {
  return (
    /^(src|sandbox|dashboard|cli|audit-verifier|test|bench|bin)\/.*\.tsx?$/.test(file) &&
    // A control replaces a file of the service and has the same exports.
    !/\.gen\.ts$|^test\/disasters\/controls\//.test(file) &&
    posix.basename(file) !== 'index.ts'
  )
}

/**
 * Modules are folders such as `src/kit`, `src/capabilities/audit` and `test/contract`. The adapters
 * of one port are separate modules, since each exports the port's members.
 */
function moduleOf(file: string): string {
  const adapter = /^src\/adapters\/registry\/(epp|openprovider)\//.test(file)
  const deep = adapter ? 4 : /^src\/(capabilities|adapters)\//.test(file) ? 3 : 2
  const folders = posix.dirname(file).split('/')
  return folders.slice(0, deep).join('/')
}

/** The names that a file itself declares and exports; a re-export is not a second name. */
export function exportsOf(tree: Tree, file: string): Set<string> {
  const names = new Set<string>()
  for (const statement of tree.parse(file).program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const { declaration } = statement
    if (!declaration) continue
    if ('id' in declaration && declaration.id && 'name' in declaration.id)
      names.add(String(declaration.id.name))
    if (declaration.type === 'VariableDeclaration')
      for (const { id } of declaration.declarations)
        walk(id.type === 'Identifier' ? { ...id, typeAnnotation: null } : id, (piece) => {
          if (piece.type === 'Identifier') names.add(String(piece.name))
        })
  }
  return names
}
