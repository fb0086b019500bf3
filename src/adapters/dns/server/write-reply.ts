// Writes an answer: the question octet by octet, and as many record sets as fit.
import { MessageWriter, type WireRecord } from '../../../dns/message/write-message.ts'
import { rrType } from '../../../dns/types.ts'
import type { OwnedSet, Reply } from '../answers/reply.ts'
import type { Head } from './dns-query.ts'

/**
 * The largest UDP message that we send, whatever the resolver accepts, so that it is never
 * fragmented (RFC 9715).
 */
const most_udp = 1232
const least_udp = 512
const most_tcp = 65_535
const flag = { response: 0x8000, authoritative: 0x0400, truncated: 0x0200, recursion: 0x0100 }

export type Transport = 'udp' | 'tcp'

/**
 * The message. Additional data that does not fit is left out (RFC 2181 part 9), but TC is set if a
 * referral needs glue that is left out (RFC 9471). If any other data does not fit, everything is
 * left out and TC is set, so that the resolver asks again over TCP.
 */
export function writeReply(head: Head, reply: Reply, transport: Transport): Buffer {
  const limit = (transport === 'tcp' ? most_tcp : udpLimit(head)) - (head.reserved ?? 0)
  const opt = optOf(head, reply.rcode)
  const reserved = opt ? 11 + opt.rdata.length : 0
  const start = () => new MessageWriter({ ...head, flags: flagsOf(head, reply) }, limit)
  let writer = start()
  const add = (section: 'answer' | 'authority' | 'additional') => (set: OwnedSet) =>
    writer.add(section, recordsOf(set), reserved)
  if (!reply.answers.every(add('answer')) || !reply.authorities.every(add('authority'))) {
    writer = start()
    writer.setFlags(flag.truncated)
  } else if (reply.glue.map(add('additional')).includes(false)) {
    writer.setFlags(flag.truncated)
  } else {
    reply.additionals.map(add('additional'))
  }
  if (opt) writer.add('additional', [opt])
  return writer.finish()
}

function udpLimit({ edns }: Head): number {
  return edns ? Math.min(Math.max(edns.size, least_udp), most_udp) : least_udp
}

function flagsOf(head: Head, { authoritative, rcode }: Reply): number {
  return (
    flag.response |
    (head.opcode << 11) |
    (authoritative ? flag.authoritative : 0) |
    (head.recursion_desired ? flag.recursion : 0) |
    (rcode & 15)
  )
}

function recordsOf({ name, type, ttl, rdata }: OwnedSet): WireRecord[] {
  return rdata.map((one) => ({ name, type, ttl, rdata: one }))
}

/**
 * The size is in the place of the class; the upper bits of the code, the version and DO are in that
 * of the TTL.
 */
export function optOf({ edns }: Pick<Head, 'edns'>, rcode: number): WireRecord | undefined {
  if (!edns) return undefined
  const ttl = (rcode >> 4) * 2 ** 24 + (edns.dnssec_ok ? 0x8000 : 0)
  return { name: Buffer.alloc(1), type: rrType.opt, class: most_udp, ttl, rdata: Buffer.alloc(0) }
}
