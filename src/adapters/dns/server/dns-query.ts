// Reads one DNS query from the wire (RFC 1035 part 4, EDNS RFC 6891). None of it is trusted,
// because it may come from any client.
import { type ReadRecord, readRecords } from '../../../dns/message/read-records.ts'
import { endOfName } from '../../../dns/message/wire-names.ts'
import { rrType } from '../../../dns/types.ts'
import { classIn, rcodes } from '../rcodes.ts'

/** The part of a query that its answer repeats. */
export type Head = {
  id: number
  opcode: number
  recursion_desired: boolean
  /** The octets of the question, which are repeated exactly (including their case, "0x20"). */
  question: Buffer
  edns: { size: number; dnssec_ok: boolean } | null
  /** Whether its last record is a TSIG. */
  signed?: boolean
  /** The octets that the answer leaves free for its signature. */
  reserved?: number
}
/** Its name is in wire form, as the client wrote it. */
export type Question = { name: Buffer; type: number }
export type Query = Head & { question_of: Question }
/** A message that is answered with only a code. */
export type Rejected = Head & { rcode: number }

const header = 12
const most_additionals = 4

/**
 * It is null if there is to be no answer at all, because the message is too short, or is itself an
 * answer, which would make a loop.
 */
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
  // A pointer in the question has nothing before it to point to.
  const end = endOfName(bytes, header)
  if (end === undefined || end + 4 > bytes.length) return { ...head, rcode: rcodes.formerr }
  const asked = { ...head, question: bytes.subarray(header, end + 4) }
  const records = readRecords(bytes, end + 4)
  const edns = readEdns(records)
  if (edns === undefined) return { ...asked, rcode: rcodes.formerr }
  const known = { ...asked, edns, signed: records?.at(-1)?.type === rrType.tsig }
  if (edns && edns.version > 0) return { ...known, rcode: rcodes.badvers }
  const [type, of] = [bytes.readUInt16BE(end), bytes.readUInt16BE(end + 2)]
  if (type === rrType.opt) return { ...known, rcode: rcodes.formerr }
  // These are other classes, zone transfers and all other types that are not data.
  const meta = type >= 128 && type < rrType.any
  if (of !== classIn || meta) return { ...known, rcode: rcodes.refused }
  return { ...known, question_of: { name: bytes.subarray(header, end), type } }
}

/**
 * There is one question (RFC 9619), no answer, and at most an OPT, a signature and a few more
 * records.
 */
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

type Edns = { size: number; dnssec_ok: boolean; version: number }

/**
 * The OPT record, null without one, or undefined if the message is broken after its question. We
 * know none of its options, so all are ignored (RFC 6891 6.1.2), whatever they contain.
 */
function readEdns(records: readonly ReadRecord[] | undefined): Edns | null | undefined {
  const [opt, ...more] = records?.filter(({ type }) => type === rrType.opt) ?? []
  if (!records) return undefined
  if (!opt) return null
  if (more.length > 0 || opt.name.length > 1 || !isOptions(opt.rdata)) return undefined
  const { class: size, ttl } = opt
  return { size, dnssec_ok: (ttl & 0x8000) !== 0, version: (ttl >>> 16) & 255 }
}

/** Options follow each other, each as long as it says. */
function isOptions(rdata: Buffer): boolean {
  let at = 0
  while (at + 4 <= rdata.length) at += 4 + rdata.readUInt16BE(at + 2)
  return at === rdata.length
}
