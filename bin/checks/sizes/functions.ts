// Limits on the length of functions, in TypeScript and in SQL, each counted whole: from its first
// line to its last. (Biome's rule counts neither the text of JSX nor closing braces.)
import { type Complaint, isTest, type Piece, type Tree, walkFile } from '../tree.ts'

const LINES = 70

/** Functions that are too long. */
export function checkFunctions(tree: Tree): Complaint[] {
  return tree.files.flatMap((file) => {
    if (isCounted(file)) return longFunctions(tree, file)
    const isSql = file.endsWith('.sql') && !file.startsWith('src/db/migrations/')
    return isSql ? longSqlFunctions(file, tree.read(file)) : []
  })
}

/** A group of tests is a function to its runner alone, and a generated file is read by none. */
function isCounted(file: string): boolean {
  if (!/\.tsx?$/.test(file) || /\.gen\.ts$|^sdk\/src\//.test(file)) return false
  return !isTest(file) || /\.fixture\.ts$/.test(file)
}

function longFunctions(tree: Tree, file: string): Complaint[] {
  const complaints: Complaint[] = []
  const unread = walkFile(tree, file, (piece) => {
    const lines = isFunction(piece) ? linesOf(piece) : 0
    if (lines > LINES) complaints.push(tooLong(`${file}:${piece.line} a function`, lines))
  })
  return [...unread, ...complaints]
}

function isFunction({ type, body }: Piece): boolean {
  return /^(Arrow)?Function|^(Object|Class|ClassPrivate)Method$/.test(type) && body !== undefined
}

function linesOf({ loc }: Piece): number {
  const { start, end } = Object(loc)
  return end.line - start.line + 1
}

/** From its first line to the end of its body. A list of values is data, as a constant array is. */
const sqlFunction = /^create (?:or replace )?function (\w+)[\s\S]*?\$\$[\s\S]*?\$\$/gm
const listOfValues = /\(values\n[\s\S]*?\n *\) as /g

function longSqlFunctions(file: string, text: string): Complaint[] {
  return [...text.matchAll(sqlFunction)].flatMap(({ 0: whole, 1: name }) => {
    const lines = whole.replaceAll(listOfValues, '').split('\n').length
    return lines > LINES ? [tooLong(`${file} ${name}`, lines)] : []
  })
}

function tooLong(subject: string, lines: number): Complaint {
  return `${subject} has ${lines} lines, and may have ${LINES}`
}
