// The files of the project for the checks: every file that git tracks or would track, read and
// parsed only once.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseResult, type ParserPlugin, parse } from '@babel/parser'

/** A violation with its place: `src/main.ts:12 the sentence`. An empty list is a pass. */
export type Complaint = string

export type Tree = {
  root: string
  /** Paths from the root with forward slashes, sorted. */
  files: readonly string[]
  read: (file: string) => string
  /** The syntax tree of a .ts or .tsx file; throws a SyntaxError that names the file. */
  parse: (file: string) => ParseResult
}

/** Opens the tree at a folder that git knows. */
export function openTree(root: string): Tree {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const files = [...new Set(listed.split('\0'))].filter(
    (file) => file && existsSync(join(root, file)),
  )
  const texts = new Map<string, string>()
  const parsed = new Map<string, ParseResult>()
  const read = (file: string) => {
    const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
    texts.set(file, text)
    return text
  }
  return {
    root,
    files: files.sort(),
    read,
    parse(file) {
      const syntax = parsed.get(file) ?? parseTypeScript(file, read(file))
      parsed.set(file, syntax)
      return syntax
    },
  }
}

function parseTypeScript(file: string, text: string): ParseResult {
  const plugins: ParserPlugin[] = file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript']
  try {
    return parse(text, { sourceType: 'module', plugins, sourceFilename: file })
  } catch (cause) {
    throw new SyntaxError(`${file} cannot be parsed: ${String(cause)}`, { cause })
  }
}

/** A piece of syntax: its type, its place, and all other properties of its type. */
export type Piece = Record<string, unknown> & { type: string; line: number }

/** Calls `visit` with every piece of a file's syntax, outermost first. */
export function walk(syntax: unknown, visit: (piece: Piece) => void): void {
  if (Array.isArray(syntax)) {
    for (const part of syntax) walk(part, visit)
    return
  }
  if (!isRecord(syntax)) return
  if (typeof syntax.type === 'string' && isRecord(syntax.loc)) {
    const start = syntax.loc.start
    const line = isRecord(start) && typeof start.line === 'number' ? start.line : 0
    visit({ ...syntax, type: syntax.type, line })
  }
  for (const [key, part] of Object.entries(syntax))
    if (key !== 'loc' && key !== 'comments' && key !== 'errors' && key !== 'tokens')
      walk(part, visit)
}

/** Walks one file. */
export function walkFile(tree: Tree, file: string, visit: (piece: Piece) => void): Complaint[] {
  return reportUnreadable(() => {
    walk(tree.parse(file).program, visit)
  })
}

/**
 * A file that cannot be parsed is a complaint, so that it does not hide what is wrong with the
 * others.
 */
export function reportUnreadable(work: () => void): Complaint[] {
  try {
    work()
    return []
  } catch (error) {
    if (error instanceof SyntaxError) return [error.message]
    throw error
  }
}

/** Whether a piece of syntax is of this type, with these plain values. */
export function is(piece: unknown, type: string, values: Record<string, unknown> = {}): boolean {
  if (!isRecord(piece) || piece.type !== type) return false
  return Object.entries(values).every(([key, value]) => piece[key] === value)
}

/** The text of a string literal, or null for anything else. */
export function literal(piece: unknown): string | null {
  return isRecord(piece) && piece.type === 'StringLiteral' && typeof piece.value === 'string'
    ? piece.value
    : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/**
 * Whether a file is a test or serves tests alone: it is in a fixtures/ folder or is named
 * *.fixture.ts.
 */
export function isTest(file: string): boolean {
  return /\.(test|fixture)\.ts$|(^|\/)fixtures\//.test(file)
}
