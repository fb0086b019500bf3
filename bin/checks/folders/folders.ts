// Directions between folders: two folders of one module never import each other, so that a reader
// can read them in an order. Even without a cycle between files, their folders can have one.
import { posix } from 'node:path'
import { type Complaint, isTest, literal, type Tree, walkFile } from '../tree.ts'

type Import = { file: string; line: number; to: string }

/**
 * One complaint for each pair of folders that import each other, with one import of each direction.
 * A folder and one inside it may import each other, because an index.ts exports what is below it.
 */
export function checkFolders(tree: Tree): Complaint[] {
  const { firsts, unread } = readImports(tree)
  const mutual = [...firsts].flatMap(([key, there]) => {
    const [from = '', to = ''] = key.split(' ')
    const back = from < to ? firsts.get(keyOf(to, from)) : undefined
    return back ? [`${from} and ${to} import each other: ${words(there)}, and ${words(back)}`] : []
  })
  return [...unread, ...mutual]
}

/** The first import from one folder to another, by both folders. */
function readImports(tree: Tree): { firsts: Map<string, Import>; unread: Complaint[] } {
  const firsts = new Map<string, Import>()
  const files = tree.files.filter(
    (file) => /^(src|dashboard\/src|sandbox|cli|bench|bin)\/.*\.tsx?$/.test(file) && !isTest(file),
  )
  const unread = files.flatMap((file) =>
    walkFile(tree, file, ({ type, line, source }) => {
      const target = importing.test(type) ? literal(source) : null
      if (!target?.startsWith('.')) return
      const to = posix.join(posix.dirname(file), target)
      const key = keyOf(posix.dirname(file), posix.dirname(to))
      if (areApart(posix.dirname(file), posix.dirname(to)) && !firsts.has(key))
        firsts.set(key, { file, line, to })
    }),
  )
  return { firsts, unread }
}

const importing =
  /^(ImportDeclaration|ExportNamedDeclaration|ExportAllDeclaration|ImportExpression|TSImportType)$/

function areApart(from: string, to: string): boolean {
  return from !== to && !from.startsWith(`${to}/`) && !to.startsWith(`${from}/`)
}

function keyOf(from: string, to: string): string {
  return `${from} ${to}`
}

function words({ file, line, to }: Import): string {
  return `${file}:${line} imports ${to}`
}
