// A zone as the messages of its transfer (RFC 5936 part 2.2), from its SOA to its SOA.

import { MessageWriter, type WireRecord } from '../../../dns/message/write-message.ts'
import { nameToWire } from '../../../dns/name.ts'
import { rrType } from '../../../dns/types.ts'
import type { Glue, RecordSet, ZoneContent } from '../port.ts'
import { rcodes } from '../rcodes.ts'
import { glueAt, gluedWithin, nameserversOf, soaOf } from '../zone-defaults.ts'
import type { Head } from './dns-query.ts'
import { optOf } from './write-reply.ts'

/** Names are compressed only within the first 16 kB of a message. */
const most_octets = 16_384
const most_of_all = 65_535
const answer_flags = 0x8400

export function transferMessages(head: Head, zone: ZoneContent, glue: Glue): Buffer[] {
  const start = () => new MessageWriter({ ...head, flags: answer_flags })
  const opt = optOf(head, rcodes.noerror)
  const reserved = (head.reserved ?? 0) + (opt ? 11 + opt.rdata.length : 0)
  const messages: Buffer[] = []
  let writer = start()
  const finish = () => {
    if (opt) writer.add('additional', [opt])
    messages.push(writer.finish())
  }
  for (const record of recordsOf(zone, glue)) {
    if (writer.add('answer', [record], most_of_all - most_octets + reserved)) continue
    finish()
    writer = start()
    // A set that is larger than a message of that size gets its own message.
    if (!writer.add('answer', [record], reserved))
      throw new Error(`A record of ${record.rdata.length} octets fits into no message.`)
  }
  finish()
  return messages
}

function recordsOf(zone: ZoneContent, glue: Glue): WireRecord[] {
  const soa = wireOf(zone.name, soaOf(zone))
  // If an A or a CNAME is stored there, that is served instead.
  const instead = zone.sets.filter(({ type }) => type === rrType.a || type === rrType.cname)
  const taken = new Set(instead.map(({ name }) => name))
  const glued = gluedWithin(zone, glue).flatMap((name) => {
    const set = glueAt(name, glue)
    return set && !taken.has(name) ? wireOf(name, set) : []
  })
  const sets = zone.sets.flatMap((set) => wireOf(set.name, set))
  return [...soa, ...wireOf(zone.name, nameserversOf(zone)), ...glued, ...sets, ...soa]
}

function wireOf(name: string, { type, ttl, rdata }: RecordSet): WireRecord[] {
  return rdata.map((one) => ({ name: nameToWire(name), type, ttl, rdata: one }))
}
