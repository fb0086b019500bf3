// Encodes an answer: the question octet by octet, and as many records as fit.
import { type Answer, AUTHORITATIVE_ANSWER, encode, TRUNCATED_RESPONSE } from 'dns-packet'
import type { Head } from './dns-query.ts'
import type { Reply } from './zone-answer.ts'

/**
 * The largest UDP message we send, whatever the resolver accepts: it is never fragmented
 * (RFC 9715).
 */
const most_udp = 1232
const least_udp = 512
const most_tcp = 65_535

export type Transport = 'udp' | 'tcp'

/**
 * The message. If it does not fit, its glue is dropped first (RFC 2181 part 9), then everything,
 * with TC set: the resolver asks again over TCP.
 */
export function writeReply(head: Head, reply: Reply, transport: Transport): Buffer {
  const limit = transport === 'tcp' ? most_tcp : udpLimit(head)
  const whole = write(head, reply, 0)
  if (whole.length <= limit) return whole
  const bare = write(head, { ...reply, additionals: [] }, 0)
  if (bare.length <= limit) return bare
  const cut = { ...reply, answers: [], authorities: [], additionals: [] }
  return write(head, cut, TRUNCATED_RESPONSE)
}

function udpLimit({ edns }: Head): number {
  return edns ? Math.min(Math.max(edns.size, least_udp), most_udp) : least_udp
}

function write(head: Head, reply: Reply, flags: number): Buffer {
  const { answers, authorities, additionals, rcode, authoritative } = reply
  const message = encode({
    type: 'response',
    id: head.id,
    flags:
      flags |
      (head.opcode << 11) |
      (authoritative ? AUTHORITATIVE_ANSWER : 0) |
      (head.recursion_desired ? 0x0100 : 0) |
      (rcode & 15),
    answers,
    authorities,
    additionals: [...additionals, ...optOf(head, rcode)],
  })
  if (head.question.length === 0) return message
  // The library would encode the question again: unknown types and odd octets would be lost. It
  // compresses nothing, so no pointer moves.
  message.writeUInt16BE(1, 4)
  return Buffer.concat([message.subarray(0, 12), head.question, message.subarray(12)])
}

function optOf({ edns }: Head, rcode: number): Answer[] {
  if (!edns) return []
  const { dnssec_ok } = edns
  return [
    {
      type: 'OPT',
      name: '.',
      udpPayloadSize: most_udp,
      extendedRcode: rcode >> 4,
      ednsVersion: 0,
      flags: dnssec_ok ? 0x8000 : 0,
      flag_do: dnssec_ok,
      options: [],
    },
  ]
}
