// Zones in memory that are looked up as the database does it, for tests of the name server alone.

import { nameToWire } from '../../dns/name.ts'
import { rrType } from '../../dns/types.ts'
import type { NameFound, RecordSet, ZoneContent, ZoneStore } from './port.ts'
import { isWithin } from './zone-defaults.ts'

export function storeOf(zones: readonly ZoneContent[]): ZoneStore {
  return {
    async find(names, type, of = names) {
      const zone = of.map((name) => zones.find((one) => one.name === name)).find((one) => one)
      if (!zone) return undefined
      const within = names.filter((name) => isWithin(name, zone.name))
      const { sets, ...content } = zone
      return {
        zone: { id: zone.name, ...content },
        names: within.map((name) => nameIn(zone, name, type)),
      }
    },
    async addresses({ name }, names) {
      const sets = zones.find((one) => one.name === name)?.sets ?? []
      const addresses = sets.filter(({ type }) => type === rrType.a || type === rrType.aaaa)
      return names.map((at) => ({ name: at, sets: setsAt(addresses, at) }))
    },
  }
}

function nameIn({ sets }: ZoneContent, name: string, type: number): NameFound {
  const asked = sets.filter(
    (one) => type === rrType.any || [type, rrType.cname, rrType.ns].includes(one.type),
  )
  const star = `*.${name}`
  return {
    name,
    sets: setsAt(asked, name),
    exists: setsAt(sets, name).length > 0,
    wildcard: sets.some((one) => isWithin(one.name, star)) ? setsAt(asked, star) : null,
    has_below: sets.some((one) => one.name.endsWith(`.${name}`)),
  }
}

function setsAt(sets: ZoneContent['sets'], name: string): RecordSet[] {
  return sets
    .filter((one) => one.name === name)
    .map(({ type, ttl, rdata }) => ({ type, ttl, rdata }))
}

const ttl = 300

/** A set with one record: an IPv4 address, or a name. */
export const address = (name: string, value: string) => {
  const rdata = [Buffer.from(value.split('.').map(Number))]
  return { name, type: rrType.a, ttl, rdata }
}
export const pointing = (name: string, type: number, target: string) => {
  return { name, type, ttl, rdata: [nameToWire(target)] }
}

/** A zone with one set of every kind. One of its two name servers is within it. */
export const sample: ZoneContent = {
  name: 'example.com',
  serial: 1_700_000_001,
  nameservers: ['ns1.example.com', 'ns2.example.net'],
  sets: [
    address('example.com', '192.0.2.1'),
    address('www.example.com', '192.0.2.2'),
    address('a.deep.name.example.com', '192.0.2.3'),
    address('*.star.example.com', '192.0.2.4'),
    address('real.star.example.com', '192.0.2.5'),
    address('xn--bcher-kva.example.com', '192.0.2.6'),
  ],
}
export const glue = new Map([
  ['ns1.example.com', '192.0.2.53'],
  ['ns2.example.net', '198.51.100.53'],
])
