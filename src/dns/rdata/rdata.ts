// RDATA between presentation and octets, type by type (RFC 1035 section 3.3, RFC 3597, RFC 4034
// section 6.2). Stored RDATA is canonical: names are in lower case and without compression, so that
// equal values have equal octets.
import { withSignsEscaped, withSignsPlain } from '../name.ts'
import { DnsProblem, orProblem, type Problem } from '../problem.ts'
import { fileTypeName, hasOwnForm, rrType } from '../types.ts'
import { assertLength, plainText, readFileWords, readWords, type Word } from '../words.ts'
import { a, aaaa } from './addresses.ts'
import { caa } from './caa.ts'
import { type Codec, type How, takeAll, Words } from './codec.ts'
import { ds, sshfp, tlsa } from './digests.ts'
import { elsewhere, opaque } from './elsewhere.ts'
import { hexOctets } from './fields.ts'
import { loc } from './loc.ts'
import { cname, mx, ns, ptr, soa, srv } from './names.ts'
import { naptr, uri } from './naptr.ts'
import { svcb } from './svcb.ts'
import { txt } from './txt.ts'
import { Wire } from './wire.ts'

export type { How } from './codec.ts'

type Rdata = { rdata: Buffer }

const codecs: ReadonlyMap<number, Codec> = new Map<number, Codec>([
  ...elsewhere,
  [rrType.a, a],
  [rrType.aaaa, aaaa],
  [rrType.ns, ns],
  [rrType.cname, cname],
  [rrType.ptr, ptr],
  [rrType.mx, mx],
  [rrType.soa, soa],
  [rrType.srv, srv],
  [rrType.txt, txt],
  [rrType.caa, caa],
  [rrType.ds, ds],
  [rrType.sshfp, sshfp],
  [rrType.tlsa, tlsa],
  [rrType.svcb, svcb],
  [rrType.https, svcb],
  [rrType.loc, loc],
  [rrType.naptr, naptr],
  [rrType.uri, uri],
])

const most_octets = 65_535

/**
 * The canonical RDATA of a value in its presentation form, or in that of RFC 3597, which every type
 * may have ("\# 4 c0000201"). A problem consists of whole sentences; `repaired` is a value that
 * would be accepted.
 */
export function readRdata(type: number, text: string, how: How): Rdata | Problem {
  const read = readOnce(type, text, how)
  if (!('problem' in read)) return read
  const { problem } = read
  let { repaired } = read
  // The value may contain another mistake.
  for (let mistakes = 0; mistakes < 3 && repaired !== undefined; mistakes += 1) {
    const again = readOnce(type, repaired, how)
    if (!('problem' in again)) return { problem, repaired }
    repaired = again.repaired
  }
  return { problem }
}

function readOnce(type: number, text: string, how: How): Rdata | Problem {
  return orProblem(() => {
    assertLength(text)
    const { paste } = codecOf(type)
    if (how.names === 'zone_file') return { rdata: readAll(type, readFileWords(text), how) }
    if (!paste || isGeneric(text)) return { rdata: readAll(type, readWords(text), how) }
    return { rdata: canonical(type, new Wire(paste(text, how))) }
  })
}

/** Like `readRdata`, for words that were read already: those of a zone file. */
export function readRdataWords(type: number, words: readonly Word[], how: How): Rdata | Problem {
  return orProblem(() => ({ rdata: readAll(type, words, how) }))
}

/**
 * The canonical presentation: names are absolute with a final dot, texts are in quotes, hexadecimal
 * is in lower case, keys are ascending, and a type without its own form has that of RFC 3597.
 * Throws a DnsProblem for octets that `checkRdata` refuses.
 */
export function writeRdata(type: number, rdata: Buffer): string {
  if (!hasOwnForm(type)) return writeGeneric(rdata)
  return textIn(codecOf(type), rdata, (name) => name)
}

/** Like `writeRdata`, with names that the zone-file reader of every server accepts. */
export function writeFileRdata(type: number, rdata: Buffer): string {
  return hasOwnForm(type) ? textIn(codecOf(type), rdata, withSignsEscaped) : writeGeneric(rdata)
}

function textIn(codec: Codec, rdata: Buffer, asName: (name: string) => string): string {
  const { taken } = takeAll(codec, new Wire(rdata))
  return taken
    .map(({ text, target }) => (target === undefined ? text : asName(text)))
    .filter((text) => text !== '')
    .join(' ')
}

/**
 * The canonical RDATA of external octets (AXFR, an update, a scan), alone and without compressed
 * names.
 */
export function checkRdata(type: number, wire: Buffer): Rdata | Problem {
  return orProblem(() => ({ rdata: canonical(type, new Wire(wire)) }))
}

/**
 * Like `checkRdata`, for octets within a message, where names may be compressed: those of the types
 * that RFC 3597 section 4 names and, leniently, those of any other type whose form is known.
 */
export function checkRdataWithin(
  type: number,
  message: Buffer,
  place: { at: number; end: number },
): Rdata | Problem {
  return orProblem(() => ({ rdata: canonical(type, new Wire(message, place)) }))
}

/**
 * The type and the text as PowerDNS writes them. It knows more types by name than the API does, and
 * accepts these only in their own form: DNAME, HINFO and others of `elsewhere.ts`.
 */
export function writeNamed(type: number, rdata: Buffer): { type: string; text: string } {
  const codec = codecOf(type)
  const name = codec.name ?? fileTypeName(type)
  const isGeneric = codec.name === undefined && !hasOwnForm(type)
  return {
    type: name,
    text: isGeneric ? writeGeneric(rdata) : textIn(codec, rdata, withSignsPlain),
  }
}

/** The form of RFC 3597, which every type may have: "\# 4 c0000201". */
export function writeGeneric(rdata: Buffer): string {
  return `\\# ${rdata.length}${rdata.length > 0 ? ` ${rdata.toString('hex')}` : ''}`
}

/** The names that a value points to, without final dots. This is only for canonical RDATA. */
export function targetsOf(type: number, rdata: Buffer): string[] {
  const codec = codecs.get(type)
  if (!codec) return []
  return takeAll(codec, new Wire(rdata)).taken.flatMap(({ target }) => target ?? [])
}

function codecOf(type: number): Codec {
  return codecs.get(type) ?? opaque
}

function isGeneric(text: string): boolean {
  return /^\s*\\#(?:\s|$)/.test(text)
}

function readAll(type: number, list: readonly Word[], how: How): Buffer {
  const codec = codecOf(type)
  if (list[0]?.kind === 'word' && list[0].text === '\\#') return readGeneric(type, list.slice(1))
  if (!hasOwnForm(type) && codec.name === undefined)
    throw new DnsProblem(`A value of ${fileTypeName(type)} is written as "\\# 2 abcd" (RFC 3597).`)
  try {
    const words = new Words(list, how)
    const bytes = codec.fields.map((field) => field.read(words))
    words.assertEnd()
    const rdata = canonical(type, new Wire(Buffer.concat(bytes)))
    if (how.names === 'api') codec.doubt?.(rdata)
    return rdata
  } catch (error) {
    if (!(error instanceof DnsProblem)) throw error
    if (error.repaired !== undefined) throw error
    throw new DnsProblem(`${error.message} An example: ${codec.example}`)
  }
}

/** RFC 3597 section 5: the number of octets, followed by the octets in hexadecimal. */
function readGeneric(type: number, [length, ...digits]: readonly Word[]): Buffer {
  const count = length ? plainText(length, 'The number of octets') : ''
  const octets = hexOctets(digits.map((word) => plainText(word, 'The data')).join(''), 'data')
  if (!/^[0-9]{1,5}$/.test(count) || Number(count) !== octets.length)
    throw new DnsProblem(
      `After "\\#" comes the number of octets, here ${octets.length}, and these in hexadecimal.`,
    )
  return canonical(type, new Wire(octets))
}

function canonical(type: number, wire: Wire): Buffer {
  const codec = codecOf(type)
  const rdata = Buffer.concat(takeAll(codec, wire).bytes)
  if (rdata.length > most_octets)
    throw new DnsProblem(`It has ${rdata.length} octets, and may have ${most_octets}.`)
  codec.check?.(rdata)
  return rdata
}
