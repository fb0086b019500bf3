// Records that every zone of ours has besides its own: SOA and NS, the same from each adapter.

import { nameToWire } from '../../dns/name.ts'
import { rrType } from '../../dns/types.ts'
import type { Glue, RecordSet, Zone } from './port.ts'

/** The times are in seconds. The negative time to live of RFC 2308 is `minimum`. */
export const times = {
  soa_ttl: 3600,
  ns_ttl: 3600,
  glue_ttl: 3600,
  refresh: 3600,
  retry: 600,
  expire: 1_209_600,
  minimum: 300,
} as const

/** The names in a zone's SOA: its first name server, and the hostmaster of that server's domain. */
function soaNames({ name, nameservers }: Pick<Zone, 'name' | 'nameservers'>): [string, string] {
  const mname = nameservers[0] ?? name
  return [mname, `hostmaster.${mname.slice(mname.indexOf('.') + 1)}`]
}

export function soaOf(zone: Omit<Zone, 'id'>, ttl: number = times.soa_ttl): RecordSet {
  const { refresh, retry, expire, minimum } = times
  const numbers = Buffer.alloc(20)
  for (const [at, value] of [zone.serial, refresh, retry, expire, minimum].entries())
    numbers.writeUInt32BE(value, 4 * at)
  return {
    type: rrType.soa,
    ttl,
    rdata: [Buffer.concat([...soaNames(zone).map(nameToWire), numbers])],
  }
}

export function nameserversOf({ nameservers }: Pick<Zone, 'nameservers'>): RecordSet {
  return { type: rrType.ns, ttl: times.ns_ttl, rdata: nameservers.map(nameToWire) }
}

/** The address of one of our name servers. */
export function glueAt(name: string, glue: Glue): RecordSet | undefined {
  const address = glue.get(name)
  if (address === undefined) return undefined
  const octets = Buffer.from(address.split('.').map(Number))
  return { type: rrType.a, ttl: times.glue_ttl, rdata: [octets] }
}

/** Whether a name is the zone's own or below it. */
export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`)
}

/** Our own name servers within the zone, which also answers for their addresses. */
export function gluedWithin({ name: zone }: Pick<Zone, 'name'>, glue: Glue): string[] {
  return [...glue.keys()].filter((name) => isWithin(name, zone))
}
