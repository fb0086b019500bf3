// Zone transfer (AXFR, RFC 5936) from a server that allows it: the whole zone, or as much of it as
// the limits allow.
import { readMessage } from '../../../dns/message/read-message.ts'
import { rrType } from '../../../dns/types.ts'
import { FoundSets } from './found-sets.ts'
import { sentQuestion } from './scan-question.ts'
import type { ScannedAddress } from './scanned-address.ts'

const limit_ms = 20_000
const most_octets = 8 * 1_048_576

/**
 * `whole`: the zone was transferred to its end. `cut`: the transfer began, and broke off or was too
 * large. `refused`: the server does not allow it, as is usual.
 */
export type ZoneCopy = { result: 'whole' | 'cut' | 'refused'; found: FoundSets }

export async function copyZone(address: ScannedAddress, zone: string): Promise<ZoneCopy> {
  const sent = sentQuestion({ name: zone, type: rrType.axfr }, false)
  const found = new FoundSets(zone)
  let octets = 0
  let began = false
  for await (const bytes of address.stream(sent, limit_ms)) {
    octets += bytes.length
    const message = readMessage(bytes)
    const isOf =
      'opcode' in message && message.id === sent.id && message.flags >= 0x8000 && !message.rcode
    if (!isOf || octets > most_octets) break
    for (const record of message.answer) {
      const isSoa = record.type === rrType.soa && record.name === zone
      // A transfer begins and ends with the SOA (RFC 5936 2.2).
      if (!began && !isSoa) return { result: 'refused', found: new FoundSets(zone) }
      if (began && isSoa) return { result: found.isFull ? 'cut' : 'whole', found }
      began = true
      found.add(record)
    }
    if (found.isFull) break
  }
  return { result: began ? 'cut' : 'refused', found }
}
