// Lexical analysis of presentations (RFC 1035 section 5.1): words, quoted strings, parentheses and
// comments, in one pass over the characters.

import { escapeAt } from './name.ts'
import { DnsProblem, quoted } from './problem.ts'

/**
 * `word`: a word without quotes. `string`: `text` is the part between the quotes. `pair`: a word
 * that has a quoted part, such as `alpn="h2,h3"` (RFC 9460 appendix A). Escapes stay as they were
 * written.
 */
export type Word = { kind: 'word' | 'string' | 'pair'; text: string; line: number }

/**
 * The words from the beginning to the end of one line, or of more lines if parentheses connect
 * them.
 */
export type Entry = {
  line: number
  words: Word[]
  /**
   * Whether its line begins with white space, which means that the owner is that of the previous
   * entry.
   */
  blank: boolean
  /** The defect of its words, after which the entry ends with the defect's line. */
  problem: string | null
}

/** The length if each octet of the largest RDATA is written as `\DDD`. */
const most_characters = 4 * 65_535

type Rules = {
  /** Whether parentheses group lines and a semicolon begins a comment. */
  file: boolean
}

type Scan = { text: string; at: number; line: number; depth: number; rules: Rules }

/** The entries of a zone file, without lines that have no words. */
export function* readEntries(text: string): Generator<Entry> {
  const scan: Scan = { text, at: 0, line: 1, depth: 0, rules: { file: true } }
  while (scan.at < text.length) {
    const entry = readEntry(scan)
    if (entry.words.length > 0 || entry.problem !== null) yield entry
  }
}

/** Throws a DnsProblem for a text that is longer than any value can be. */
export function assertLength(text: string): void {
  // Between character strings of one octet there are blanks and quotes.
  if (text.length > 2 * most_characters)
    throw new DnsProblem('The value is longer than any value of a record.')
}

/** The words of one value, which has no comments and no parentheses. Throws a DnsProblem. */
export function readWords(text: string): Word[] {
  const scan: Scan = { text, at: 0, line: 1, depth: 0, rules: { file: false } }
  const { words, problem } = readEntry(scan)
  if (problem !== null) throw new DnsProblem(problem)
  if (scan.at < text.length) throw new DnsProblem('The value has a line break.')
  return words
}

/** The words of one record's value as it is in a zone file. Throws a DnsProblem. */
export function readFileWords(text: string): Word[] {
  const [first, second] = [...readEntries(text)]
  if (first && first.problem !== null) throw new DnsProblem(first.problem)
  if (second) throw new DnsProblem('The value has a line break outside of parentheses.')
  return first?.words ?? []
}

function readEntry(scan: Scan): Entry {
  const entry: Entry = { line: scan.line, words: [], blank: isSpace(scan, scan.at), problem: null }
  try {
    while (readPiece(scan, entry.words));
  } catch (error) {
    if (!(error instanceof DnsProblem)) throw error
    entry.problem = error.message
    scan.depth = 0
    skipLine(scan)
  }
  entry.line = entry.words[0]?.line ?? entry.line
  return entry
}

/** Reads one word, or the text between words. Returns false at the end of the entry. */
function readPiece(scan: Scan, words: Word[]): boolean {
  const { text, rules } = scan
  const sign = text[scan.at]
  if (sign === undefined) {
    if (scan.depth > 0) throw new DnsProblem('A parenthesis is not closed.')
    return false
  }
  if (sign === '\n' || sign === '\r') {
    scan.at += sign === '\r' && text[scan.at + 1] === '\n' ? 2 : 1
    scan.line += 1
    return scan.depth > 0
  }
  if (sign === ' ' || sign === '\t') scan.at += 1
  else if (rules.file && sign === ';') skipComment(scan)
  else if (rules.file && sign === '(') {
    scan.depth += 1
    scan.at += 1
  } else if (rules.file && sign === ')') {
    if (scan.depth === 0) throw new DnsProblem('A parenthesis is closed that was not opened.')
    scan.depth -= 1
    scan.at += 1
  } else words.push(sign === '"' ? readString(scan) : readWord(scan))
  return true
}

function readString(scan: Scan): Word {
  const { line } = scan
  const start = scan.at + 1
  passString(scan)
  return wordOf('string', scan.text.slice(start, scan.at - 1), line)
}

/** Moves to after the closing quote. */
function passString(scan: Scan): void {
  const { text } = scan
  for (let at = scan.at + 1; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '"') {
      scan.at = at + 1
      return
    }
    if (sign === '\\') at += 1
    if ('\r\n'.includes(text[at] ?? '\n')) break
  }
  throw new DnsProblem('A quote is not closed on its line.')
}

/** The word between two places. One that can be in no value is refused before anything reads it. */
function wordOf(kind: Word['kind'], text: string, line: number): Word {
  if (text.length > most_characters) throw new DnsProblem('A word is longer than any value.')
  return { kind, text, line }
}

function readWord(scan: Scan): Word {
  const { text, line } = scan
  const start = scan.at
  let kind: 'word' | 'pair' = 'word'
  while (scan.at < text.length && !endsWord(scan)) {
    const sign = text[scan.at]
    if (sign === '\\') {
      if ('\r\n'.includes(text[scan.at + 1] ?? '\n'))
        throw new DnsProblem('A backslash escapes the end of the line.')
      scan.at += 2
    } else if (sign === '"') {
      kind = 'pair'
      passString(scan)
    } else scan.at += 1
  }
  return wordOf(kind, text.slice(start, scan.at), line)
}

function endsWord({ text, at, rules }: Scan): boolean {
  const sign = text[at] ?? ''
  return ' \t\r\n'.includes(sign) || (rules.file && ';()'.includes(sign))
}

function isSpace({ text }: Scan, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t'
}

function skipComment(scan: Scan): void {
  while (scan.at < scan.text.length && !'\r\n'.includes(scan.text[scan.at] ?? '')) scan.at += 1
}

function skipLine(scan: Scan): void {
  skipComment(scan)
  if (scan.at < scan.text.length) readPiece(scan, [])
}

/** The octets of a word or a quoted string; characters beyond ASCII are in UTF-8. */
export function octetsOf(text: string): Buffer {
  if (!text.includes('\\')) return Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\\', at)
    const plain = text.slice(at, next < 0 ? text.length : next)
    if (plain) parts.push(Buffer.from(plain))
    if (next < 0) break
    const { octet, length } = escapeAt(text, next)
    parts.push(Buffer.of(octet))
    at = next + length
  }
  return Buffer.concat(parts)
}

/** A word as it was written, for messages. */
export function writtenAs({ kind, text }: Word): string {
  return kind === 'string' ? `"${text}"` : text
}

/** The text of a word that is not a quoted string: a number, or a name. */
export function plainText(word: Word, what: string): string {
  if (word.kind === 'word') return word.text
  throw new DnsProblem(`${what} stands without quotes, and not as ${quoted(writtenAs(word))}.`)
}
