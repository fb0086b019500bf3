// Reads the records of a DNS message (RFC 1035 4.1.3). None of it is trusted, because it comes from
// any client or server.
import { expandName } from '../name.ts'
import { DnsProblem, orProblem } from '../problem.ts'
import { compressible } from './wire-names.ts'

/** The name and the RDATA are without compression, in the case of the message. */
export type ReadRecord = { name: Buffer; type: number; class: number; ttl: number; rdata: Buffer }

/**
 * All records after the question, which ends at `start`. It is undefined if the message is broken,
 * or has other octets after them.
 */
export function readRecords(bytes: Buffer, start: number): ReadRecord[] | undefined {
  const read = orProblem(() => ({ records: recordsIn(bytes, start) }))
  return 'problem' in read ? undefined : read.records
}

function recordsIn(bytes: Buffer, start: number): ReadRecord[] {
  const count = [6, 8, 10].reduce((sum, at) => sum + bytes.readUInt16BE(at), 0)
  const records: ReadRecord[] = []
  let at = start
  while (records.length < count) {
    const { data, end, ...head } = recordHead(bytes, at)
    records.push({ ...head, rdata: rdataIn(bytes, head.type, { data, end }) })
    at = end
  }
  if (at !== bytes.length) throw new DnsProblem('The message has octets after its end.')
  return records
}

/** The RDATA is from `data` to `end`, where the next record begins. */
type RecordHead = Omit<ReadRecord, 'rdata'> & Place
type Place = { data: number; end: number }

/** The record at a place, up to its RDATA. Throws a DnsProblem. */
export function recordHead(bytes: Buffer, at: number): RecordHead {
  const { wire: name, end: fixed } = expandName(bytes, { at, end: bytes.length, pointers: true })
  const data = fixed + 10
  if (data > bytes.length) throw new DnsProblem('A record ends before its data.')
  const end = data + bytes.readUInt16BE(fixed + 8)
  if (end > bytes.length) throw new DnsProblem('A record ends in the middle of its data.')
  const [type, of] = [bytes.readUInt16BE(fixed), bytes.readUInt16BE(fixed + 2)]
  return { name, type, class: of, ttl: bytes.readUInt32BE(fixed + 4), data, end }
}

function rdataIn(bytes: Buffer, type: number, { data, end }: Place): Buffer {
  const form = compressible.get(type)
  // Records of an update may have no RDATA (RFC 2136 2.4).
  if (!form || data === end) return Buffer.from(bytes.subarray(data, end))
  let at = data + form.before
  const parts = [bytes.subarray(data, at)]
  for (let i = 0; i < form.names; i += 1) {
    const name = expandName(bytes, { at, end, pointers: true })
    parts.push(name.wire)
    at = name.end
  }
  return Buffer.concat([...parts, bytes.subarray(at, end)])
}
