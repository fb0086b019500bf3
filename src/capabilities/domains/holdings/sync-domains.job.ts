// Periodic reconciliation: re-reads each domain from its registry when its sync is due, at a lower
// priority than purchases.

import type { Registry } from '../../../adapters/registry/port.ts'
import { type App, job } from '../../../app.ts'
import { inBulkheads } from '../../../tasks/index.ts'
import type { Holding } from './domain-presenter.ts'
import { applySyncDecision, type RegistryReading, storeReadings } from './sync.ts'
import { decideSync, type SyncDecision } from './sync-decision.ts'
import { claimDueHoldings } from './sync-domains.sql.ts'
import { explainTransferOut, isTransferUnexplained } from './transfer-request.ts'

const batch = 200
const every_ms = 5_000
/** After so many silent answers in a row the registry is considered down, and the rest waits. */
const most_silent = 5
/** Longer than a batch takes; what was not read by then is due again. By the registries' time. */
const claimed_ms = 10 * 60_000

export const syncDomains = job({
  name: 'sync_domains',
  does: 'Reads what the registries show of our domains: daily, hourly near an expiry.',
  every_ms,
  wakes_on: 'sandbox_clock',
  // Each node claims what no other node has claimed.
  per_node: true,
  async run(app) {
    const present = app.registries.all().filter((registry) => registry.health().state !== 'down')
    return inBulkheads(present, async (one) => ({ more: await syncDue(app, one) }), every_ms)
  },
})

/** One batch of one registry; whether there may be more at once. */
export async function syncDue(app: App, registry: Registry): Promise<boolean> {
  const now = app.calendar.now()
  const until = new Date(now.getTime() + claimed_ms)
  const due = await app.db.run(claimDueHoldings, {
    registry: registry.profile.name,
    now,
    sync_at: until,
    limit: BigInt(batch),
  })
  const read = await readAll(app, registry, due)
  const readings = read.flatMap(({ holding, reading }): RegistryReading[] =>
    reading.do === 'store' ? [{ holding, found: reading.found, seen: holding.updated_at }] : [],
  )
  const stored = readings.length > 0 ? await storeReadings(app, app.db, readings) : []
  for (const holding of stored.filter(isTransferUnexplained))
    await explainTransferOut(app, holding, 'background')
  for (const { holding, reading } of read)
    if (reading.do !== 'store') await settle(app, holding, reading)
  return due.length === batch && read.length === due.length
}

type Read = { holding: Holding; reading: SyncDecision }

/** In their order; without those that were not read, as the registry no longer answers. */
async function readAll(app: App, registry: Registry, due: readonly Holding[]): Promise<Read[]> {
  const { sessions, client_id: sponsor } = registry.profile
  const read: Read[] = []
  const left = due.values()
  let silent = 0
  const take = async () => {
    for (const holding of left) {
      if (silent >= most_silent) return
      const answer = await registry.read(holding.name, 'background')
      const reading = decideSync(answer, holding, { sponsor, now: app.calendar.now() })
      silent = reading.do === 'nothing' ? silent + 1 : 0
      read.push({ holding, reading })
    }
  }
  // One session stays free, so that a purchase need not even wait for the end of a read.
  const readers = Math.max(1, sessions - 1)
  await Promise.all(Array.from({ length: readers }, take))
  return read
}

/** A failure affects one holding only: it is due again when its claim ends. */
async function settle(
  app: App,
  holding: Holding,
  reading: Exclude<SyncDecision, { do: 'store' }>,
): Promise<void> {
  const domain = holding.name
  if (reading.do === 'nothing')
    app.log.warn({ domain, detail: reading.message }, 'domain could not be read')
  await applySyncDecision(app, holding, reading).catch((error) => {
    app.log.error({ err: error, domain }, 'reading of a domain not written down')
  })
}
