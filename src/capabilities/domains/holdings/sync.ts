// Sync of a holding with its registry: the one way in which the registry's facts are stored.

import type { Priority, RegistryDomain } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { json } from '../../../db/statement.ts'
import { storeAuditRow, systemCall } from '../../audit/index.ts'
import { customerMail } from '../../mail/index.ts'
import { domainDroppedEmail, transferredAwayEmail } from '../emails.ts'
import { domainNotFound, registryUnreachable } from '../faults.ts'
import { registryOf } from '../names.ts'
import { deletionSeen, isDeleted } from './deletion-time.ts'
import type { Holding } from './domain-presenter.ts'
import { alarmUnexplained, isPossible, type ShownExpiry } from './expiry-plausibility.ts'
import { endHoldingRow, holdingByName } from './holdings.sql.ts'
import { nextSync } from './lifecycle.ts'
import { shownExpiry } from './shown-expiry.ts'
import {
  lockHolding,
  markMissing,
  scheduleSync,
  storeReadingOfOne,
  storeReadingsOfMany,
} from './sync.sql.ts'
import { decideSync, type Ending, type SyncDecision } from './sync-decision.ts'
import { explainTransferOut, isTransferUnexplained } from './transfer-request.ts'

/** The result of a reading, which is stored unless it is `silent`. */
type Synced =
  | { kind: 'held'; holding: Holding; found: RegistryDomain }
  /** The holding has ended because another registrar sponsors the domain. */
  | { kind: 'left' }
  /** The holding has ended because the registry no longer knows the domain. */
  | { kind: 'dropped' }
  /** The registry says that the domain does not exist, which nothing explains (yet). */
  | { kind: 'missing'; holding: Holding }
  | { kind: 'silent'; message: string }

/**
 * Newer facts may be written during a reading; after this many readings they are taken as they are.
 */
const most_readings = 3

/**
 * Reads one holding from its registry and stores the result. `holding` is as it was a moment
 * before: if it was written since, that is newer than the registry's answer, and the registry is
 * asked again.
 */
export async function syncHolding(app: App, holding: Holding, priority: Priority): Promise<Synced> {
  const registry = registryOf(app, holding.name)
  if (!registry) return { kind: 'silent', message: `No registry of ours sells ${holding.name}` }
  let known = holding
  for (let left = most_readings; ; left -= 1) {
    const read = await registry.read(known.name, priority)
    const facts = { sponsor: registry.profile.client_id, now: app.calendar.now() }
    const reading = decideSync(read, known, facts)
    if (reading.do !== 'store') return applySyncDecision(app, known, reading)
    const { found } = reading
    const [row] = await storeReadings(app, app.db, [
      { holding: known, found, seen: known.updated_at },
    ])
    if (row) return { kind: 'held', holding: await explained(app, row, priority), found }
    const newer = await app.db.maybe(scheduleSync, {
      id: known.id,
      customer_id: known.customer_id,
      sync_at: facts.now,
    })
    if (!newer) return { kind: 'left' }
    if (left === 1) return { kind: 'held', holding: newer, found }
    known = newer
  }
}

/** The holding with the registrar that requests a transfer, if the reading did not name it. */
async function explained(app: App, holding: Holding, priority: Priority): Promise<Holding> {
  if (!isTransferUnexplained(holding)) return holding
  await explainTransferOut(app, holding, priority)
  return (
    (await app.db.maybe(holdingByName, { customer_id: holding.customer_id, name: holding.name })) ??
    holding
  )
}

/**
 * A registry's reading of a holding. `seen` is when the holding had last been written before the
 * registry was asked, or null if the reading is newer than whatever was written since.
 */
export type RegistryReading = { holding: Holding; found: RegistryDomain; seen: Date | null }

/**
 * Stores many readings in one statement, and returns the holdings that had not been written since.
 * An impossible expiry is not stored and raises an alarm, as does one that nothing explains.
 */
export async function storeReadings(
  app: App,
  sql: Sql,
  readings: readonly RegistryReading[],
): Promise<Holding[]> {
  const now = app.calendar.now()
  const seen = readings.map((one) => ({ ...one, ...showingOf(app, one, now) }))
  const [only, second] = seen
  const stored =
    only && !second
      ? await sql.run(storeReadingOfOne, {
          reading: json(factsOf(app, only, now)),
          id: only.holding.id,
        })
      : await sql.run(storeReadingsOfMany, {
          batch: json(seen.map((one) => factsOf(app, one, now))),
        })
  // On deletion, a registry removes years and refunds their cost.
  const staying = seen.filter(({ found }) => !found.epp_statuses.includes('pendingDelete'))
  await alarmUnexplained(app, sql, staying)
  return stored
}

function showingOf(app: App, { holding, found }: RegistryReading, now: Date): ShownExpiry {
  const shown = shownExpiry(found, holding.registry_expiry, now)
  const max_term_years = registryOf(app, holding.name)?.profile.max_term_years ?? 10
  return { holding, shown, possible: isPossible(shown, holding, { now, max_term_years }) }
}

function factsOf(
  { chance }: Pick<App, 'chance'>,
  { holding, found, seen, shown, possible }: RegistryReading & ShownExpiry,
  now: Date,
) {
  const { nameservers, epp_statuses, rgp_statuses } = found
  const registry_expiry = possible ? shown : holding.registry_expiry
  const facts = { expiry: holding.expiry, registry_expiry, epp_statuses, rgp_statuses }
  return {
    id: String(holding.id),
    registry_expiry: registry_expiry.toISOString(),
    nameservers,
    epp_statuses,
    rgp_statuses,
    synced_at: now.toISOString(),
    sync_at: nextSync(facts, { now, spread: chance() })?.toISOString() ?? null,
    pending_transfer: epp_statuses.includes('pendingTransfer'),
    deleted: isDeleted(found),
    deleted_at: deletionSeen(found, holding, now)?.toISOString() ?? null,
    seen: seen?.toISOString() ?? null,
    seen_synced_at: holding.synced_at?.toISOString() ?? null,
  }
}

/** Stores the outcome of a reading that brought no facts. */
export async function applySyncDecision(
  app: App,
  holding: Holding,
  reading: Exclude<SyncDecision, { do: 'store' }>,
): Promise<Exclude<Synced, { kind: 'held' }>> {
  switch (reading.do) {
    case 'end':
      await endHolding(app, holding, reading.ending)
      return { kind: reading.ending === 'dropped' ? 'dropped' : 'left' }
    case 'mark_missing':
      return missing(app, holding)
    case 'nothing':
      return { kind: 'silent', message: reading.message }
  }
}

async function missing(app: App, holding: Holding): Promise<Synced & { kind: 'missing' }> {
  const facts = { domain: holding.name, alarm: 'domain_missing' }
  app.log.error(facts, 'the registry says that a domain we hold does not exist')
  const now = app.calendar.now()
  const again = new Date(now.getTime() + 3_600_000)
  const row = await app.db.maybe(markMissing, {
    id: holding.id,
    customer_id: holding.customer_id,
    missing_since: now,
    sync_at: again,
  })
  return { kind: 'missing', holding: row ?? holding }
}

/**
 * Ends a holding once, with its audit row and a mail to its owner, but not while an order for the
 * name is open, because that decides first. Returns whether the holding was ended now.
 */
async function endHolding(app: App, holding: Holding, ending: Ending): Promise<boolean> {
  const call = systemCall(app, 'end_holding')
  const { base_url, site_url } = app.settings
  const { id, customer_id, name, expiry } = holding
  const email =
    ending === 'dropped'
      ? domainDroppedEmail(holding, base_url)
      : transferredAwayEmail(holding, site_url)
  return app.db.transaction(async (sql) => {
    // The lock comes before the check of orders: one that is being placed holds the same lock.
    await sql.maybe(lockHolding, { id })
    const ended = await sql.maybe(endHoldingRow, { id, customer_id, end_reason: ending })
    if (!ended) return false
    await storeAuditRow(
      sql,
      call.auditRow({
        action: ending === 'dropped' ? 'domain_dropped' : 'domain_transferred_away',
        target_type: 'domain',
        target: name,
        customer_id,
        result: 'success',
        metadata: { expiry: expiry.toISOString() },
      }),
    )
    await customerMail(sql, customer_id, email)
    return true
  })
}

/** Throws 404 if the reading ended the holding, and 503 if the registry does not answer. */
export async function refreshHolding(app: App, known: Holding): Promise<Holding> {
  return (await refreshWithReading(app, known)).holding
}

/** As refreshHolding, with the registry's own facts. */
export async function refreshWithReading(
  app: App,
  known: Holding,
): Promise<Extract<Synced, { kind: 'held' }>> {
  const synced = await syncHolding(app, known, 'purchase')
  switch (synced.kind) {
    case 'held':
      return synced
    case 'left':
    case 'dropped':
      throw domainNotFound()
    case 'missing':
    case 'silent':
      throw registryUnreachable({ retry_after_s: 5 })
  }
}
