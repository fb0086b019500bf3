// Zones of the holdings on our own name servers: looked up for the name server in this process,
// pushed to an external DNS provider.
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Address,
  DnsProvider,
  Found,
  Pushed,
  ZoneContent,
} from '../../../adapters/dns/port.ts'
import type { App } from '../../../app.ts'
import type { Database } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import { type BackoffRange, backoffMs } from '../../../kit/concurrency/backoff.ts'
import { parseHost } from '../../../kit/net/host.ts'
import {
  claimDueZones,
  claimZone,
  dequeueZones,
  findNames,
  markPushed,
  markUnpushed,
  purgeZone,
  recordsOf,
  repairEndedZones,
  repairZones,
  requeueZones,
  setOwnNameservers,
  setProvider,
  zonePushed,
} from './zones.sql.ts'

/** The name from its end, as zone_records are sorted: "com.example.www". */
export function pathOf(name: string): string {
  return name.split('.').reverse().join('.')
}

/** The whole name of a host of a zone. */
export function nameOfHost(host: string, zone: string): string {
  return host === '@' ? zone : `${host}.${zone}`
}

/** Looks for what is served at a name (see the port's Find). One query, nothing kept. */
export function zoneFinder(db: Database) {
  return async (names: readonly string[]): Promise<Found | undefined> => {
    const rows = await db.run(findNames, { names, paths: names.map(pathOf) })
    const [first] = rows
    if (!first) return undefined
    return {
      zone: { name: first.zone, serial: Number(first.serial), nameservers: first.nameservers },
      names: rows.map((row) => ({
        name: row.name,
        address: addressOf(row.value, row.ttl),
        wildcard: addressOf(row.wildcard_value, row.wildcard_ttl),
        has_below: row.has_below,
      })),
    }
  }
}

function addressOf(value: string | null, ttl: number | null): Address | null {
  return value === null || ttl === null ? null : { value, ttl }
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
  const changed = await app.db.maybe(setProvider, { provider })
  if (changed) app.log.warn({ provider }, 'zones are pushed to another provider than before')
  const known = await app.db.maybe(setOwnNameservers, { names: ownNameservers(app) })
  if (!known) return
  const repaired = await repairAllZones(app)
  const change = { nameservers: known.names, repaired }
  if (repaired > 0) app.log.warn(change, 'our own name servers are others than before')
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

/**
 * Longer than a provider's slowest answers may take together, so that no two nodes push at once.
 */
const lease_ms = 30_000
const push_backoff: BackoffRange = { first_ms: 2_000, longest_ms: 300_000 }

type Claimed = Row<'zones_claim'>

const queued_at_once = 500

/** Queues the next zones for a provider that is new; returns whether some are left. */
export async function requeueForProvider(app: App, { id }: DnsProvider): Promise<boolean> {
  const { more } = await app.db.one(requeueZones, { provider: id, limit: BigInt(queued_at_once) })
  return more
}

/** Takes zones from the queue where there is no provider; returns whether some are left. */
export async function dequeueServed(app: App): Promise<boolean> {
  return (await app.db.count(dequeueZones, { limit: BigInt(queued_at_once) })) === queued_at_once
}

/** Pushes up to `most` zones that are due; returns how many were pushed, and how many failed. */
export async function pushDueZones(
  app: App,
  provider: DnsProvider,
  most: number,
): Promise<{ pushed: number; failed: number }> {
  const due = await app.db.run(claimDueZones, {
    limit: BigInt(most),
    lease_ms,
    provider: provider.id,
  })
  const ends = await Promise.all(due.map((zone) => push(app, provider, zone)))
  const failed = ends.filter(({ kind }) => kind === 'failed').length
  return { pushed: ends.length - failed, failed }
}

/**
 * Pushes one zone now. Waits up to `wait_ms` for another push of it; the job pushes later what is
 * not pushed by then.
 */
export async function pushZone(app: App, name: string, wait_ms: number): Promise<Pushed> {
  const { provider } = app.dns
  if (!provider) return { kind: 'done' }
  const end = app.monotonic_ms() + wait_ms
  for (;;) {
    const claimed = await app.db.maybe(claimZone, { name, lease_ms, provider: provider.id })
    if (claimed) return push(app, provider, claimed)
    const zone = await app.db.maybe(zonePushed, { name })
    if (!zone || zone.pushed) return { kind: 'done' }
    if (app.monotonic_ms() > end)
      return { kind: 'failed', reason: 'unreachable', message: 'Another push takes too long.' }
    await sleep(100)
  }
}

async function push(app: App, provider: DnsProvider, zone: Claimed): Promise<Pushed> {
  const { name, serial, lease_token } = zone
  const dropped = zone.state === 'dropped'
  const pushed = await (dropped
    ? provider.drop(name)
    : contentOf(app, zone).then((content) => provider.put(content)))
  if (pushed.kind === 'failed') {
    const pause = backoffMs(zone.push_failures + 1, push_backoff)
    await app.db.count(markUnpushed, {
      name,
      lease_token,
      in_ms: pause,
      push_error: pushed.message,
    })
    app.log.warn(
      { zone: name, reason: pushed.message },
      'a zone could not be pushed to the name servers',
    )
    return pushed
  }
  const purged = dropped ? await app.db.count(purgeZone, { name, lease_token, serial }) : 0
  if (purged === 0) await app.db.count(markPushed, { name, lease_token, pushed_serial: serial })
  return pushed
}

/** Changes since the claim are included, and are pushed once more under their own serial. */
async function contentOf(app: App, zone: Claimed): Promise<ZoneContent> {
  const { name, nameservers, serial, domain_id } = zone
  const records = await app.db.run(recordsOf, { domain_id })
  return {
    name,
    nameservers,
    serial: Number(serial),
    records: records.map(({ host, value, ttl }) => ({ name: nameOfHost(host, name), value, ttl })),
  }
}
