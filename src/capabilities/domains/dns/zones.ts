// Zones of the holdings on our own name servers, looked up for the name server in this process.
import type { Found, RecordSet, ZoneStore } from '../../../adapters/dns/port.ts'
import type { App } from '../../../app.ts'
import type { Database } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import { parseHost } from '../../../kit/net/host.ts'
import { setProvider } from './zone-push.sql.ts'
import { findNames, repairEndedZones, repairZones, setOwnNameservers } from './zones.sql.ts'

/** The name from its end, as zone_records are sorted: "com.example.www". */
export function pathOf(name: string): string {
  return name.split('.').reverse().join('.')
}

/** Looks for what is served at a name (see the port). One query, nothing kept. */
export function zoneStore(db: Database): ZoneStore {
  const look = async (names: readonly string[]): Promise<Found | undefined> => {
    const rows = await db.run(findNames, { names, paths: names.map(pathOf) })
    const [first] = rows
    if (!first) return undefined
    const { zone: name, serial, nameservers } = first
    return {
      zone: { id: name, name, serial: Number(serial), nameservers },
      names: rows.map((row) => {
        const sets = addressSet(row.value, row.ttl)
        const wildcard = addressSet(row.wildcard_value, row.wildcard_ttl)
        return {
          name: row.name,
          sets,
          exists: sets.length > 0,
          wildcard: wildcard.length > 0 ? wildcard : null,
          has_below: row.has_below,
        }
      }),
    }
  }
  return {
    find: look,
    async addresses(zone, names) {
      const found = await look([...names, zone.name])
      return found?.zone.id === zone.id ? found.names : []
    },
  }
}

function addressSet(value: string | null, ttl: number | null): RecordSet[] {
  if (value === null || ttl === null) return []
  return [{ type: typeA, ttl, rdata: [addressRdata(value)] }]
}

export const typeA = 1

/** The four octets of an IPv4 address (RFC 1035 3.4.1). */
export function addressRdata(value: string): Buffer {
  return Buffer.from(value.split('.').map(Number))
}

/** The name servers that the settings say are ours. */
export function ownNameservers({ settings }: Pick<App, 'settings'>): string[] {
  return settings.default_nameservers.flatMap((name) => parseHost(name) ?? [])
}

const looked_at_once = 500

/**
 * Stores which name servers are ours, with the zones that this changes, and which DNS provider
 * zones are pushed to.
 */
export async function openZones(app: App): Promise<void> {
  const provider = app.dns.provider?.id ?? null
  const { changed } = await app.db.one(setProvider, { provider })
  if (changed) app.log.warn({ provider }, 'zones are pushed to another provider than before')
  const known = await app.db.maybe(setOwnNameservers, { names: ownNameservers(app) })
  if (!known) return
  const repaired = await repairAllZones(app)
  const change = { nameservers: known.names, repaired }
  if (repaired > 0) app.log.warn(change, 'our own name servers have changed: zones were repaired')
}

type Repaired = Row<'zones_repair'>

/** Every holding gets the zone that it ought to have, and loses the one that it ought not. */
export async function repairAllZones(app: App): Promise<number> {
  let all = 0
  for (const pass of [repairZones, repairEndedZones])
    for (let after: string | null = ''; after !== null; ) {
      const page: Repaired = await app.db.one(pass, { after, limit: BigInt(looked_at_once) })
      all += page.repaired
      after = page.looked < looked_at_once ? null : page.last
    }
  return all
}
