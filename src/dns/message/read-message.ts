// Reads a DNS message (RFC 1035 section 4) from any sender: queries, answers, updates (RFC 2136)
// and zone transfers, with EDNS (RFC 6891) and TSIG (RFC 8945). None of the claims in its header is
// trusted, so work and memory are bounded by the octets that arrived.
import { expandName, lowerCase, textOf } from '../name.ts'
import { DnsProblem, orProblem, type Problem } from '../problem.ts'
import { checkRdataWithin } from '../rdata/rdata.ts'
import { rrType } from '../types.ts'
import { recordHead } from './read-records.ts'
import { readTsig, type Tsig } from './tsig-record.ts'

export const rrClass = { in: 1, none: 254, any: 255 } as const

/** `octets` are as the sender wrote them, to be repeated in the answer. */
type Question = { name: string; type: number; class: number; octets: Buffer }

type MessageRecord = {
  /** The name in lower case, without a final dot. */
  name: string
  type: number
  class: number
  ttl: number
  /**
   * Canonical RDATA, or its problem. It is empty if an update has none, in the classes ANY and NONE
   * (RFC 2136 sections 2.4 and 2.5).
   */
  value: { rdata: Buffer } | Problem
}

type Edns = { size: number; version: number; dnssec_ok: boolean; options: Buffer }

export type Message = {
  id: number
  /** All 16 bits after the id. */
  flags: number
  opcode: number
  /** The code includes the upper bits of EDNS. */
  rcode: number
  questions: Question[]
  answer: MessageRecord[]
  /** The updates of an update; its prerequisites are in `answer`. */
  authority: MessageRecord[]
  /** The records without OPT and TSIG. */
  additional: MessageRecord[]
  edns: Edns | null
  tsig: Tsig | null
}

/** `head` is enough for an answer with FORMERR. It is null if there is not even a header. */
type Malformed = { problem: string; head: { id: number; flags: number } | null }

const header = 12

type Cursor = { bytes: Buffer; at: number }

export function readMessage(bytes: Buffer): Message | Malformed {
  if (bytes.length < header) return { problem: 'The message has no header.', head: null }
  const head = { id: bytes.readUInt16BE(0), flags: bytes.readUInt16BE(2) }
  const read = orProblem(() => readBody(bytes, head))
  return 'problem' in read ? { problem: read.problem, head } : read
}

function readBody(bytes: Buffer, head: { id: number; flags: number }): Message {
  const cursor = { bytes, at: header }
  const [questions, answers, authorities, additionals] = [4, 6, 8, 10].map((at) =>
    bytes.readUInt16BE(at),
  )
  const message: Message = {
    ...head,
    opcode: (head.flags >> 11) & 15,
    rcode: head.flags & 15,
    questions: times(questions, () => readQuestion(cursor)),
    answer: times(answers, () => readRecord(cursor)),
    authority: times(authorities, () => readRecord(cursor)),
    additional: [],
    edns: null,
    tsig: null,
  }
  for (let left = additionals ?? 0; left > 0; left -= 1) readAdditional(cursor, message, left === 1)
  if (cursor.at < bytes.length)
    throw new DnsProblem(`It has ${bytes.length - cursor.at} octets after its last record.`)
  return message
}

/** Reads as long as there are octets: each piece takes some, or throws. */
function times<Piece>(count: number | undefined, read: () => Piece): Piece[] {
  const pieces: Piece[] = []
  for (let left = count ?? 0; left > 0; left -= 1) pieces.push(read())
  return pieces
}

function readQuestion(cursor: Cursor): Question {
  const { bytes, at } = cursor
  const { wire, end } = expandName(bytes, { at, end: bytes.length, pointers: false })
  if (end + 4 > bytes.length) throw new DnsProblem('A question ends before its class.')
  cursor.at = end + 4
  return {
    name: textOf(lowerCase(wire)),
    type: bytes.readUInt16BE(end),
    class: bytes.readUInt16BE(end + 2),
    octets: bytes.subarray(at, cursor.at),
  }
}

type Head = Omit<MessageRecord, 'value'> & { at: number; end: number }

/** Reads up to the RDATA, which is from `at` to `end`. */
function readHead(cursor: Cursor): Head {
  const { name, data, ...head } = recordHead(cursor.bytes, cursor.at)
  cursor.at = head.end
  return { ...head, name: textOf(lowerCase(name)), at: data }
}

function readRecord(cursor: Cursor): MessageRecord {
  const head = readHead(cursor)
  if (head.type === rrType.opt || head.type === rrType.tsig)
    throw new DnsProblem('A record of EDNS or TSIG is in another section than its own.')
  return recordOf(cursor.bytes, head)
}

function recordOf(bytes: Buffer, { at, end, ...head }: Head): MessageRecord {
  const isUpdate = head.class === rrClass.any || head.class === rrClass.none
  if (at === end && isUpdate) return { ...head, value: { rdata: Buffer.of() } }
  return { ...head, value: checkRdataWithin(head.type, bytes, { at, end }) }
}

function readAdditional(cursor: Cursor, message: Message, isLast: boolean): void {
  const start = cursor.at
  const head = readHead(cursor)
  if (head.type === rrType.opt) {
    if (message.edns || head.name !== '.')
      throw new DnsProblem('It has two records of EDNS, or one with a name.')
    message.rcode |= (head.ttl >>> 24) << 4
    message.edns = {
      size: head.class,
      version: (head.ttl >>> 16) & 255,
      dnssec_ok: (head.ttl & 0x8000) !== 0,
      options: cursor.bytes.subarray(head.at, head.end),
    }
  } else if (head.type === rrType.tsig) {
    if (!isLast || head.class !== rrClass.any || head.ttl !== 0)
      throw new DnsProblem('Its TSIG is not the last record, or not of class ANY and TTL 0.')
    message.tsig = { ...readTsig(cursor.bytes, head), name: head.name, start }
  } else message.additional.push(recordOf(cursor.bytes, head))
}
