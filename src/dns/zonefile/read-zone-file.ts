// Reads a zone file (RFC 1035 section 5, RFC 2308 section 4): it returns every record with its
// line, or every line that is wrong, so that a file is accepted as a whole or not at all.
import { isWithin, parseName } from '../name.ts'
import { DnsProblem, orProblem, quoted } from '../problem.ts'
import { namesElsewhere } from '../rdata/elsewhere.ts'
import { parseSeconds } from '../rdata/names.ts'
import { readRdataWords } from '../rdata/rdata.ts'
import { dnssecNames, fileTypeNumber } from '../types.ts'
import { type Entry, plainText, readEntries, type Word } from '../words.ts'

/** `name` is as in `parseName`, and is the zone's or one below it. `ttl` is in seconds. */
type FileRecord = { line: number; name: string; type: number; ttl: number; rdata: Buffer }
type FileProblem = { line: number; problem: string }
/**
 * A record of DNSSEC signing, which is generated anew and not read: its line, and its type by name.
 */
type LeftOut = { line: number; type: string }

type ZoneFileRules = {
  /** The zone's name, as in `parseName`. */
  origin: string
  /** The default in seconds, if the file has none. */
  default_ttl: number
}

type Reading = {
  readonly zone: string
  origin: string
  owner: string | null
  /** The value of $TTL. */
  file_ttl: number | null
  /** The owner of the previous record (RFC 1035 section 5.1). */
  last_ttl: number | null
  readonly default_ttl: number
  readonly records: FileRecord[]
  readonly left_out: LeftOut[]
}

const most_problems = 100
const most_ttl = 2 ** 31 - 1

/**
 * The records in the order of the file. The names are within the zone, but neither duplicates nor
 * sets are checked. At most 100 problems are listed, by their lines, and if there are any, no
 * record is returned.
 */
export function readZoneFile(
  text: string,
  { origin, default_ttl }: ZoneFileRules,
): { records: FileRecord[]; left_out: LeftOut[] } | { problems: FileProblem[] } {
  const reading: Reading = {
    zone: origin,
    origin,
    owner: null,
    file_ttl: null,
    last_ttl: null,
    default_ttl,
    records: [],
    left_out: [],
  }
  const problems: FileProblem[] = []
  for (const entry of readEntries(text)) {
    const problem = entry.problem ?? problemOf(() => readEntry(reading, entry))
    if (problem !== null) problems.push({ line: entry.line, problem })
    if (problems.length === most_problems) break
  }
  if (problems.length > 0) return { problems }
  return { records: reading.records, left_out: reading.left_out }
}

function problemOf(work: () => void): string | null {
  const done = orProblem(() => {
    work()
    return {}
  })
  return 'problem' in done ? done.problem : null
}

function readEntry(reading: Reading, entry: Entry): void {
  const [first] = entry.words
  const isDirective = !entry.blank && first?.kind === 'word' && first.text.startsWith('$')
  if (isDirective) readDirective(reading, entry.words)
  else readRecord(reading, entry)
}

function readDirective(reading: Reading, [directive, value, more]: readonly Word[]): void {
  const name = directive?.text.toUpperCase() ?? ''
  if (name !== '$TTL' && name !== '$ORIGIN')
    throw new DnsProblem(`${quoted(name)} is not read: a file has records, $TTL and $ORIGIN here.`)
  if (!value || more) throw new DnsProblem(`After ${name} comes one value.`)
  const text = plainText(value, `The value of ${name}`)
  if (name === '$TTL') reading.file_ttl = ttlOf(text)
  else reading.origin = nameOf(text, reading.origin)
}

function readRecord(reading: Reading, { words, blank, line }: Entry): void {
  let at = 0
  if (!blank) {
    const owner = words[at++]
    reading.owner = null
    reading.owner = owner ? nameOf(plainText(owner, 'A name'), reading.origin) : null
  }
  const { owner } = reading
  if (owner === null) throw new DnsProblem('The line has no name, and neither has one before it.')
  const head = readHead(words, at)
  at = head.next
  if (head.ttl !== null) reading.last_ttl = head.ttl
  const ttl = head.ttl ?? reading.file_ttl ?? reading.last_ttl ?? reading.default_ttl
  const word = words[at++]
  if (!word) throw new DnsProblem(`The record of ${quoted(owner)} has no type.`)
  const text = plainText(word, 'A type')
  if (dnssecNames.has(text.toUpperCase())) {
    reading.left_out.push({ line, type: text.toUpperCase() })
    return
  }
  const type = typeOf(text)
  const how = { names: 'zone_file', origin: reading.origin } as const
  const read = readRdataWords(type, words.slice(at), how)
  if ('problem' in read) throw new DnsProblem(read.problem)
  if (!isWithin(owner, reading.zone))
    throw new DnsProblem(`${quoted(owner)} is not within the zone ${quoted(reading.zone)}.`)
  reading.records.push({ line, name: owner, type, ttl, rdata: read.rdata })
}

/** The time to live and the class, in either order, and the place of the word after them. */
function readHead(words: readonly Word[], start: number): { ttl: number | null; next: number } {
  let ttl: number | null = null
  let hasClass = false
  for (let at = start; ; at += 1) {
    const word = words[at]
    const text = word?.kind === 'word' ? word.text.toUpperCase() : ''
    if (!hasClass && /^(?:IN|CH|CS|HS|CLASS[0-9]+)$/.test(text)) {
      if (text !== 'IN' && text !== 'CLASS1')
        throw new DnsProblem(`The class is ${text}, and has to be IN.`)
      hasClass = true
    } else if (ttl === null && /^[0-9]/.test(text)) ttl = ttlOf(text)
    else return { ttl, next: at }
  }
}

function ttlOf(text: string): number {
  const ttl = parseSeconds(text)
  if (ttl === undefined || ttl > most_ttl)
    throw new DnsProblem(
      `${quoted(text)} is no time to live: seconds up to ${most_ttl}, or units as in "1h30m".`,
    )
  return ttl
}

function nameOf(text: string, origin: string): string {
  const read = parseName(text, origin)
  if ('problem' in read) throw new DnsProblem(read.problem)
  return read.name
}

function typeOf(text: string): number {
  const type = fileTypeNumber(text) ?? namesElsewhere.get(text.toUpperCase())
  if (type !== undefined) return type
  throw new DnsProblem(
    `${quoted(text)} is no type that is known here by name. Any type may be written as, for ` +
      'example, TYPE65280 \\# 2 abcd (RFC 3597).',
  )
}
