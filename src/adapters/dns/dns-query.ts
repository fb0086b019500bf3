// Reads one DNS query from the wire (RFC 1035 part 4, EDNS RFC 6891). Nothing in it is believed: it
// comes from any client.
import { decode } from 'dns-packet'

/** Response codes that we use; 16 needs EDNS. */
export const rcodes = {
  noerror: 0,
  formerr: 1,
  servfail: 2,
  nxdomain: 3,
  notimp: 4,
  refused: 5,
  badvers: 16,
} as const
/** Types and classes by number. */
export const types = { a: 1, ns: 2, soa: 6, opt: 41, firstMeta: 128, any: 255 } as const
const inClass = 1

/** The part of a query that its answer repeats. */
export type Head = {
  id: number
  opcode: number
  recursion_desired: boolean
  /** The octets of the question, to be repeated exactly (also its case, "0x20"). */
  question: Buffer
  edns: { size: number; dnssec_ok: boolean } | null
}
export type Question = {
  /** As it was asked. Null where a label has octets that no host name has. */
  asked: string | null
  /** The name and those above it in lower case, as far as they can be names of ours. */
  names: readonly string[]
  type: number
}
export type Query = Head & { question_of: Question }
/** A message that is answered with a code only. */
type Rejected = Head & { rcode: number }

const header = 12
const most_additionals = 4

/** Null: not to be answered at all (too short, or itself an answer: a loop). */
export function readQuery(bytes: Buffer): Query | Rejected | null {
  if (bytes.length < header) return null
  const flags = bytes.readUInt16BE(2)
  if (flags & 0x8000) return null
  const head: Head = {
    id: bytes.readUInt16BE(0),
    opcode: (flags >> 11) & 15,
    recursion_desired: (flags & 0x0100) !== 0,
    question: Buffer.alloc(0),
    edns: null,
  }
  if (head.opcode !== 0) return { ...head, rcode: rcodes.notimp }
  if (!hasUsualCounts(bytes)) return { ...head, rcode: rcodes.formerr }
  const read = readQuestion(bytes)
  if (!read) return { ...head, rcode: rcodes.formerr }
  const asked = { ...head, question: bytes.subarray(header, read.end) }
  const edns = readEdns(bytes)
  if (edns === undefined) return { ...asked, rcode: rcodes.formerr }
  const known = { ...asked, edns }
  if (edns && edns.version > 0) return { ...known, rcode: rcodes.badvers }
  if (read.type === types.opt) return { ...known, rcode: rcodes.formerr }
  // Other classes, zone transfers and the rest of the types that are no data.
  const meta = read.type >= types.firstMeta && read.type < types.any
  if (read.class !== inClass || meta) return { ...known, rcode: rcodes.refused }
  return { ...known, question_of: questionOf(read) }
}

/** One question (RFC 9619), no answer, at most an OPT, a signature and some more beside it. */
function hasUsualCounts(bytes: Buffer): boolean {
  const [questions, answers, authorities, additionals] = [4, 6, 8, 10].map((at) =>
    bytes.readUInt16BE(at),
  )
  return (
    questions === 1 &&
    answers === 0 &&
    (authorities ?? 0) <= 1 &&
    (additionals ?? 0) <= most_additionals
  )
}

type Read = { labels: string[]; end: number; type: number; class: number }

function readQuestion(bytes: Buffer): Read | undefined {
  const labels: string[] = []
  let at = header
  for (;;) {
    const length = bytes[at]
    // A pointer has nothing before it to point at.
    if (length === undefined || length > 63) return undefined
    at += 1
    if (length === 0) break
    labels.push(bytes.toString('latin1', at, at + length))
    at += length
  }
  const end = at + 4
  if (at - header > 255 || end > bytes.length) return undefined
  return { labels, end, type: bytes.readUInt16BE(at), class: bytes.readUInt16BE(at + 2) }
}

/** Labels that are unambiguous in text: visible ASCII without dots. */
const plain = /^[\x21-\x2d\x2f-\x7e]+$/

function questionOf({ labels, type }: Read): Question {
  const odd = labels.findLastIndex((label) => !plain.test(label))
  const names = labels
    .map((_, at) => labels.slice(at).join('.').toLowerCase())
    .slice(odd + 1, Math.max(odd + 1, labels.length - 1))
  return { asked: odd < 0 ? labels.join('.') : null, names, type }
}

type Edns = { size: number; dnssec_ok: boolean; version: number }

/** The OPT record; null without one, undefined when the message is broken behind its question. */
function readEdns(bytes: Buffer): Edns | null | undefined {
  try {
    const { additionals = [] } = decode(bytes)
    if (decode.bytes !== bytes.length) return undefined
    const options = additionals.filter((record) => record.type === 'OPT')
    const [opt, ...more] = options
    if (!opt) return null
    if (more.length > 0 || opt.name !== '.') return undefined
    return { size: opt.udpPayloadSize, dnssec_ok: opt.flag_do, version: opt.ednsVersion }
  } catch {
    return undefined
  }
}
