// Dead code: every export is imported by another file. An export that only its own file uses must
// not be exported, and one without any use must be deleted.
import { posix } from 'node:path'
import { exportsOf } from './names.ts'
import {
  type Complaint,
  is,
  literal,
  type Piece,
  reportUnreadable,
  type Tree,
  walkFile,
} from './tree.ts'

/** Exports that a program calls which another file writes as text (test/shards/run.ts). */
const calledByText = 'test/shards/shard.ts runShard'

/** Exports that no other file imports. */
export function checkExports(tree: Tree): Complaint[] {
  const used = new Set<string>()
  const exported = new Map<string, string>()
  const unread = tree.files.filter(isSource).flatMap((file) => [
    ...walkFile(tree, file, (piece) => {
      for (const use of usesOf(piece, posix.dirname(file))) used.add(use)
      for (const name of passedOn(piece)) exported.set(`${file} ${name}`, file)
    }),
    ...reportUnreadable(() => {
      for (const name of exportsOf(tree, file)) exported.set(`${file} ${name}`, file)
    }),
  ])
  const unused = [...exported].filter(
    ([key, file]) =>
      !used.has(key) && !used.has(`${file} *`) && key !== calledByText && isOwn(file),
  )
  return [...unread, ...unused.map(([key]) => `${key}: exported, and no other file imports it`)]
}

function isSource(file: string): boolean {
  return /^(src|sandbox|dashboard|cli|audit-verifier|test|bench|bin)\/.*\.tsx?$/.test(file)
}

/** A control replaces a file of the service and has the same exports; other files are generated. */
function isOwn(file: string): boolean {
  return !/\.gen\.ts$|^test\/disasters\/controls\//.test(file)
}

/** A set of `file name` for each import, or `file *` where any export of a file may be used. */
function usesOf(piece: Piece, folder: string): string[] {
  const source = literal(piece.source)
  if (!source?.startsWith('.')) return []
  const target = posix.join(folder, source)
  const specifiers = Array.isArray(piece.specifiers) ? piece.specifiers : null
  if (!specifiers) return [`${target} *`]
  return specifiers.map((one) => {
    const name = Object(is(one, 'ImportSpecifier') ? one.imported : one.local).name
    const all = is(one, 'ImportNamespaceSpecifier') || is(one, 'ExportNamespaceSpecifier')
    return `${target} ${all ? '*' : String(name)}`
  })
}

/** The names that `export { a as b } from` and `export { a }` export. */
function passedOn(piece: Piece): string[] {
  if (piece.type !== 'ExportNamedDeclaration' || !Array.isArray(piece.specifiers)) return []
  return piece.specifiers.map((one) => String(Object(Object(one).exported).name))
}
