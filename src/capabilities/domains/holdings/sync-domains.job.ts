// Periodic sync: reads each domain again from its registry when its sync is due, at a lower
// priority than purchases.

import Type from 'typebox'
import type { Registry } from '../../../adapters/registry/port.ts'
import { type App, job } from '../../../app.ts'
import { done, inBulkheads, taskKind, workTasks } from '../../../tasks/index.ts'
import type { Holding } from './domain-presenter.ts'
import { applySyncDecision, type RegistryReading, storeReadings } from './sync.ts'
import { decideSync, type SyncDecision } from './sync-decision.ts'
import {
  claimDueHoldings,
  enqueueDailySync,
  holdingsOfRound,
  postponeSync,
} from './sync-domains.sql.ts'
import { explainTransferOut, isTransferUnexplained } from './transfer-request.ts'

const batch = 200
const every_ms = 5_000
/** After this many silent reads in a row the registry counts as down, and the rest waits. */
const most_silent = 5
/** Longer than a batch takes. Holdings not read by then, in the registries' time, are due again. */
const claimed_ms = 10 * 60_000
/** A second attempt at a batch skips holdings that were read within this time. */
const fresh_ms = 3_600_000

export const syncDomains = job({
  name: 'sync_domains',
  does: 'Reads our domains at the registries: daily, and hourly near an expiry.',
  every_ms,
  wakes_on: 'sandbox_clock',
  // Each node claims what no other node has claimed.
  per_node: true,
  async run(app) {
    const present = app.registries.all.filter((registry) => registry.health().state !== 'down')
    return inBulkheads(present, async (one) => ({ more: await syncDue(app, one) }), every_ms)
  },
})

/** The holdings between two slots of a daily round; the bulkhead is the registry. */
const syncBatch = taskKind({
  kind: 'sync_domains',
  payload: Type.Object({
    after_slot: Type.Integer(),
    after_id: Type.String({ pattern: '^[0-9]+$' }),
    last_slot: Type.Integer(),
    last_id: Type.String({ pattern: '^[0-9]+$' }),
  }),
  backoff: { first_ms: 10_000, longest_ms: 600_000 },
  // The next round reads them anyway.
  most_attempts: 10,
})

/** Reads one batch out of turn and one of the daily round; returns whether there may be more. */
async function syncDue(app: App, registry: Registry): Promise<boolean> {
  const outOfTurn = await syncOutOfTurn(app, registry)
  return (await syncRound(app, registry)) || outOfTurn
}

async function syncOutOfTurn(app: App, registry: Registry): Promise<boolean> {
  const now = app.calendar.now()
  const due = await app.db.run(claimDueHoldings, {
    sync_at: new Date(now.getTime() + claimed_ms),
    registry: registry.profile.name,
    now,
    limit: BigInt(batch),
  })
  const unread = await syncHoldings(app, registry, due)
  return due.length === batch && unread.length === 0
}

async function syncRound(app: App, registry: Registry): Promise<boolean> {
  const { name } = registry.profile
  const now = app.calendar.now()
  const facts = { registry: name, now, most: batch }
  const { enqueued } = await app.db.one(enqueueDailySync, facts)
  let silent = false
  const worked = await workTasks(app, syncBatch, {
    bulkhead: name,
    limit: 1,
    async handle({ payload: { after_id, last_id, ...slots } }) {
      const read_by = new Date(now.getTime() - fresh_ms)
      const ids = { after_id: BigInt(after_id), last_id: BigInt(last_id) }
      const due = await app.db.run(holdingsOfRound, { registry: name, read_by, ...slots, ...ids })
      const unread = await syncHoldings(app, registry, due)
      silent = unread.length > 0
      if (silent) {
        const sync_at = new Date(app.calendar.now().getTime() + claimed_ms)
        await app.db.run(postponeSync, { sync_at, ids: unread.map(({ id }) => id) })
      }
      return done
    },
  })
  return !silent && (enqueued === batch || worked === 1)
}

/** Reads and stores holdings; returns those not read because the registry gave no answers. */
async function syncHoldings(
  app: App,
  registry: Registry,
  due: readonly Holding[],
): Promise<Holding[]> {
  const read = await readAll(app, registry, due)
  const readings = read.flatMap(({ holding, reading }): RegistryReading[] =>
    reading.do === 'store' ? [{ holding, found: reading.found, seen: holding.updated_at }] : [],
  )
  const stored = readings.length > 0 ? await storeReadings(app, app.db, readings) : []
  for (const holding of stored.filter(isTransferUnexplained))
    await explainTransferOut(app, holding, 'background')
  for (const { holding, reading } of read)
    if (reading.do !== 'store') await settle(app, holding, reading)
  const answered = new Set(
    read.filter(({ reading }) => reading.do !== 'nothing').map(({ holding }) => holding.id),
  )
  return due.filter(({ id }) => !answered.has(id))
}

type Read = { holding: Holding; reading: SyncDecision }

/** Reads in order; leaves out the holdings not read because the registry no longer answers. */
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

/** A failure affects only its holding, which is due again when its claim ends. */
async function settle(
  app: App,
  holding: Holding,
  reading: Exclude<SyncDecision, { do: 'store' }>,
): Promise<void> {
  const domain = holding.name
  if (reading.do === 'nothing')
    app.log.warn({ domain, detail: reading.message }, 'domain could not be read')
  await applySyncDecision(app, holding, reading).catch((error) => {
    app.log.error({ err: error, domain }, 'state of a domain, as its registry shows it, not stored')
  })
}
