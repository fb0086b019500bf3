// Domain names between their text and their octets (RFC 1035 sections 3.1, 4.1.4 and 5.1, RFC
// 4343). A name as text has no final dot, and the root is ".". In a label, a dot and the characters
// of the syntax of zone files are escaped as "\.", and any octet that is not printable ASCII as
// "\DDD".
import { DnsProblem, orProblem, type Problem, quoted } from './problem.ts'

const most_octets = 255
const most_label = 63
/** Writes each octet as `\DDD`. */
const most_text = 4 * most_octets

/** Characters of a label that have a meaning in zone files. */
const special = new Set(Array.from('.\\";()@$', (sign) => sign.charCodeAt(0)))

const dot = 0x2e
const backslash = 0x5c
const upper_a = 0x41
const upper_z = 0x5a

/**
 * The name of a presentation, in lower case and without its final dot. Without a final dot it is
 * relative to `origin`, and "@" is the origin. If `origin` is null, every name is absolute.
 */
export function parseName(text: string, origin: string | null): { name: string } | Problem {
  return orProblem(() => ({ name: textOf(wireName(text, origin)).toLowerCase() }))
}

/**
 * The octets of a name: labels with their lengths, with the empty one at the end. Throws a
 * DnsProblem for any other text.
 */
export function nameToWire(name: string): Buffer {
  return wireName(name, null)
}

/**
 * The uncompressed name at a place, in the case of its octets, and the place after it. Throws a
 * DnsProblem if there is no name, or a compressed one.
 */
export function nameFromWire(bytes: Buffer, at: number): { name: string; end: number } {
  const { wire, end } = expandName(bytes, { at, end: bytes.length, pointers: false })
  return { name: textOf(wire), end }
}

/** Like `parseName`, but returns octets in the case of the text, and throws. */
export function wireName(text: string, origin: string | null): Buffer {
  if (text === '@' && origin !== null) return wireName(origin, null)
  if (text === '.') return Buffer.of(0)
  const { labels, absolute } = labelsOf(text)
  const tail = absolute || origin === null ? Buffer.of(0) : wireName(origin, null)
  const wire = Buffer.concat([...labels, tail])
  if (wire.length > most_octets) throw new DnsProblem(`The name ${quoted(text)} is too long.`)
  return wire
}

/** Whether a presentation ends in a dot that is not escaped. */
export function isAbsolute(text: string): boolean {
  return text === '.' || labelsOf(text).absolute
}

function labelsOf(text: string): { labels: Buffer[]; absolute: boolean } {
  if (text.length > most_text) throw new DnsProblem(`The name ${quoted(text)} is too long.`)
  const labels: Buffer[] = []
  let octets: number[] = []
  const close = () => {
    if (octets.length === 0)
      throw new DnsProblem(`The name ${quoted(text)} has an empty label: two dots, or none.`)
    if (octets.length > most_label)
      throw new DnsProblem(`A label of the name ${quoted(text)} is longer than 63 octets.`)
    labels.push(Buffer.of(octets.length, ...octets))
    octets = []
  }
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code > 0x7e || code < 0x21)
      throw new DnsProblem(`The name ${quoted(text)} has a character that names do not have.`)
    if (code === dot) close()
    if (code === backslash) {
      const { octet, length } = escapeAt(text, at)
      octets.push(octet)
      at += length
    } else {
      if (code !== dot) octets.push(code)
      at += 1
    }
  }
  const absolute = octets.length === 0 && labels.length > 0
  if (!absolute) close()
  return { labels, absolute }
}

/** The octet of `\DDD` or `\X` at a place, and the number of its characters. */
export function escapeAt(text: string, at: number): { octet: number; length: number } {
  const digits = /^[0-9]{3}/.exec(text.slice(at + 1, at + 4))?.[0]
  const octet = digits === undefined ? text.charCodeAt(at + 1) : Number(digits)
  const first = text.charCodeAt(at + 1)
  const isDigit = first >= 0x30 && first <= 0x39
  if (Number.isNaN(octet) || octet > 255 || (digits === undefined && (isDigit || octet > 0x7e)))
    throw new DnsProblem(`${quoted(text)} has a backslash that escapes nothing.`)
  return { octet, length: digits === undefined ? 2 : 4 }
}

/** The presentation of uncompressed octets, in their case. */
export function textOf(wire: Buffer): string {
  let text = ''
  for (let at = 0; at < wire.length; ) {
    const length = wire[at] ?? 0
    if (length === 0) break
    if (at > 0) text += '.'
    for (const octet of wire.subarray(at + 1, at + 1 + length)) text += shown(octet)
    at += 1 + length
  }
  return text || '.'
}

/** An octet of a label or of an unquoted word. */
function shown(octet: number): string {
  if (octet < 0x21 || octet > 0x7e) return decimal(octet)
  return `${special.has(octet) ? '\\' : ''}${String.fromCharCode(octet)}`
}

/**
 * The same name with every character escaped that host names do not have, because Knot reads no
 * other character in a zone file ("a=b"). They are escaped by their number, since "\[" means
 * something else to BIND.
 */
export function withSignsEscaped(name: string): string {
  return name.replaceAll(/\\(?:[0-9]{3}|.)|[^\w.*/-]/g, (sign) =>
    sign.startsWith('\\') ? sign : decimal(sign.charCodeAt(0)),
  )
}

/** The same name with only dots and backslashes escaped, as PowerDNS writes it. */
export function withSignsPlain(name: string): string {
  return name.replaceAll(/\\(["$();@])/g, '$1')
}

function decimal(octet: number): string {
  return `\\${String(octet).padStart(3, '0')}`
}

/** A name with its final dot. */
export function absolute(name: string): string {
  return name === '.' ? name : `${name}.`
}

/** Whether a name is a zone's own or below it. Both are lower-case text. */
export function isWithin(name: string, zone: string): boolean {
  if (zone === '.' || name === zone) return true
  if (!name.endsWith(`.${zone}`)) return false
  // The dot may be escaped, and then belongs to a label.
  const before = name.slice(0, -zone.length - 1)
  return (/\\*$/.exec(before)?.[0].length ?? 0) % 2 === 0
}

/**
 * The octets with A to Z in lower case (RFC 4034 section 6.2). No length of a label is an octet
 * from A to Z.
 */
export function lowerCase(wire: Buffer): Buffer {
  const lower = Buffer.from(wire)
  for (const [at, octet] of wire.entries())
    if (octet >= upper_a && octet <= upper_z) lower[at] = octet + 32
  return lower
}

type Place = {
  at: number
  /** The first octet that no longer belongs to the name. */
  end: number
  /** Whether the name may be compressed, because `bytes` is a message. */
  pointers: boolean
}

/**
 * The name at a place without compression, and the place after it. A pointer has to lead to before
 * the labels that it ends, so that no name is a circle.
 */
export function expandName(bytes: Buffer, place: Place): { wire: Buffer; end: number } {
  const parts: Buffer[] = []
  let { at, end } = place
  let after: number | undefined
  let start = at
  let total = 0
  for (;;) {
    const length = at < end ? bytes[at] : undefined
    if (length === undefined) throw new DnsProblem('A name ends before its last label.')
    if (length >= 0xc0) {
      const low = at + 1 < end ? bytes[at + 1] : undefined
      if (!place.pointers || low === undefined)
        throw new DnsProblem('A name is compressed where it may not be.')
      after ??= at + 2
      const target = ((length & 0x3f) << 8) | low
      if (target >= start) throw new DnsProblem('A compressed name does not point backwards.')
      end = bytes.length
      at = target
      start = target
      continue
    }
    if (length > most_label) throw new DnsProblem('A name has a label of an unknown kind.')
    total += length + 1
    if (total > most_octets) throw new DnsProblem('A name is longer than 255 octets.')
    if (at + 1 + length > end) throw new DnsProblem('A name ends in the middle of a label.')
    parts.push(bytes.subarray(at, at + 1 + length))
    at += 1 + length
    if (length === 0) return { wire: Buffer.concat(parts), end: after ?? at }
  }
}
