// Records of every zone of ours beside its own: SOA and NS, the same from each adapter.
import type { Glue, Zone } from './port.ts'

/** Seconds. The negative time to live of RFC 2308 is `minimum`. */
export const times = {
  soa_ttl: 3600,
  ns_ttl: 3600,
  glue_ttl: 3600,
  refresh: 3600,
  retry: 600,
  expire: 1_209_600,
  minimum: 300,
} as const

/** The names in a zone's SOA: its first name server, and the hostmaster of that one's domain. */
export function soaNames({ name, nameservers }: Zone): { mname: string; rname: string } {
  const mname = nameservers[0] ?? name
  return { mname, rname: `hostmaster.${mname.slice(mname.indexOf('.') + 1)}` }
}

/** Whether a name is the zone's own or below it. */
export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`)
}

/** Our own name servers within the zone: it answers for their addresses, too. */
export function gluedWithin(zone: Zone, glue: Glue): [name: string, value: string][] {
  return [...glue].filter(([name]) => isWithin(name, zone.name))
}
