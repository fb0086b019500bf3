// Limits on files, lines and folders, and that each file begins with a line on its purpose.
// functions.ts limits functions, and biome.json parameters.
import { writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type Complaint, isTest, reportUnreadable, type Tree } from '../tree.ts'
import { wide, wrapComments } from './wrap.ts'

const LINES = 300
const README_LINES = 40
const KIT_FILES = 25
const FOLDER_FILES = 25
const WIDTH = 100
/** A generator writes this list in a README. */
const generatedPart = /<!-- [^>]*made by bin\/check --write -->[\s\S]*?<!-- end [^>]*-->\n/

/** Files, lines and folders that are too large. */
export function checkSizes(tree: Tree): Complaint[] {
  const complaints = tree.files.flatMap((file) => checkFile(file, tree))
  const kit = tree.files.filter((file) => file.startsWith('src/kit/') && !isTest(file))
  if (kit.length > KIT_FILES)
    complaints.push(`src/kit has ${kit.length} files, and may have ${KIT_FILES}`)
  const folders = Map.groupBy(tree.files.filter(isCounted), (file) => posix.dirname(file))
  for (const [folder, { length }] of folders)
    if (length > FOLDER_FILES)
      complaints.push(`${folder} has ${length} files, and may have ${FOLDER_FILES}`)
  return complaints
}

/** These folders may have many files: fixtures, decisions, runbooks and generated files. */
function isCounted(file: string): boolean {
  return !/(^|\/)fixtures\/|\.fixture\.ts$|\.gen\.ts$|^docs\/(decisions|runbooks)\//.test(file)
}

/**
 * Wraps the comments that are too wide in the files themselves, and reports the files that cannot
 * be parsed.
 */
export function wrapTree(tree: Tree): Complaint[] {
  return tree.files
    .filter((file) => /(?<!\.gen)\.tsx?$/.test(file) && !isGeneratedClient(file))
    .flatMap((file) =>
      reportUnreadable(() => {
        const text = tree.read(file)
        const wrapped = wrapComments(text, commentLines(tree.parse(file)), WIDTH)
        if (wrapped !== text) writeFileSync(join(tree.root, file), wrapped)
      }),
    )
}

function commentLines({ comments }: ReturnType<Tree['parse']>): Set<number> {
  const lines = new Set<number>()
  for (const { loc } of comments ?? [])
    if (loc) for (let line = loc.start.line; line <= loc.end.line; line += 1) lines.add(line)
  return lines
}

function isGeneratedClient(file: string): boolean {
  return file.startsWith('sdk/src/')
}

function checkFile(file: string, tree: Tree): Complaint[] {
  if (/^(src\/capabilities\/[^/]+|dashboard|sdk)\/README\.md$/.test(file))
    return tooLong(file, tree.read(file).replace(generatedPart, ''), README_LINES)
  const generated = file.endsWith('.gen.ts') || isGeneratedClient(file)
  if (/\.tsx?$/.test(file)) {
    const text = tree.read(file)
    const opening = /^\/\/ \S/.test(text)
      ? []
      : [`${file}:1 begins without a line on what it is for`]
    return generated ? opening : [...opening, ...tooLong(file, text, LINES), ...tooWide(file, text)]
  }
  if (file.endsWith('.sql') || /^(bin|\.ci)\/[^./]+$/.test(file))
    return tooWide(file, tree.read(file))
  return []
}

function tooLong(file: string, text: string, most: number): Complaint[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return lines > most ? [`${file} has ${lines} lines, and may have ${most}`] : []
}

/**
 * A test's title is one sentence in one string and cannot be broken, and neither can a module's
 * path.
 */
const title = /^\s*(test|it|describe)\(['"`]/
/** Tailwind's classes are one attribute, and an SVG path is one string. */
const classNames = /\bclassName=["{]/
const svgPath = /^\s*(\w+: )?'[Mm][\w. -]+',$/
const modulePath = /^(import|export|\}) .*from '[^']+'$/

function tooWide(file: string, text: string): Complaint[] {
  return text.split('\n').flatMap((line, at) => {
    const inJsx = file.endsWith('.tsx') && (classNames.test(line) || svgPath.test(line))
    const unbroken = inJsx || (isTest(file) && title.test(line)) || modulePath.test(line)
    const width = unbroken ? 0 : wide(line)
    return width > WIDTH ? [`${file}:${at + 1} is ${width} wide, and may be ${WIDTH}`] : []
  })
}
