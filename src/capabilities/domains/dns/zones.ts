// Our own name servers, and the repair of the zones of holdings on them.
import type { App } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { parseHost } from '../../../kit/net/host.ts'
import { setProvider } from './zone-push.sql.ts'
import { repairEndedZones, repairZones, setOwnNameservers } from './zones.sql.ts'

/** The name from its end, as record sets are sorted: "com.example.www". */
export function pathOf(name: string): string {
  return name.split('.').reverse().join('.')
}

/** The name servers that are ours, by the settings. */
export function ownNameservers({ settings }: Pick<App, 'settings'>): string[] {
  return settings.default_nameservers.flatMap((name) => parseHost(name) ?? [])
}

const looked_at_once = 500

/**
 * Stores which name servers are ours, with the zones that this changes, and to which DNS provider
 * zones are pushed.
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

/**
 * Gives every holding the zone that it ought to have, and takes the ones that it ought not have.
 */
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
