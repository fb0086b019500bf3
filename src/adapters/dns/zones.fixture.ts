// Zones in memory, looked up as the database does it, for tests of the name server alone.
import type { Find, NameFound, ZoneContent } from './port.ts'

export function findIn(zones: readonly ZoneContent[]): Find {
  return async (names) => {
    const zone = names.map((name) => zones.find((one) => one.name === name)).find((one) => one)
    if (!zone) return undefined
    const at = (name: string) => {
      const record = zone.records.find((one) => one.name === name)
      return record ? { value: record.value, ttl: record.ttl } : null
    }
    const within = names.slice(0, names.indexOf(zone.name) + 1)
    return {
      zone,
      names: within.map((name): NameFound => {
        const has_below = zone.records.some((record) => record.name.endsWith(`.${name}`))
        return { name, address: at(name), wildcard: at(`*.${name}`), has_below }
      }),
    }
  }
}

const ttl = 300

/** A zone with one of everything; one of its two name servers is within it. */
export const sample: ZoneContent = {
  name: 'example.com',
  serial: 1_700_000_001,
  nameservers: ['ns1.example.com', 'ns2.example.net'],
  records: [
    { name: 'example.com', value: '192.0.2.1', ttl },
    { name: 'www.example.com', value: '192.0.2.2', ttl },
    { name: 'a.deep.name.example.com', value: '192.0.2.3', ttl },
    { name: '*.star.example.com', value: '192.0.2.4', ttl },
    { name: 'real.star.example.com', value: '192.0.2.5', ttl },
    { name: 'xn--bcher-kva.example.com', value: '192.0.2.6', ttl },
  ],
}
export const glue = new Map([
  ['ns1.example.com', '192.0.2.53'],
  ['ns2.example.net', '198.51.100.53'],
])
