// Deletes unrenewed domains within the registry's auto-renew grace period (RFC 3915, 45 days as a
// rule), so that the registrar is not billed for the year that the registry adds at the expiry.

import type { RegistryDomain } from '../../../adapters/registry/port.ts'
import { type App, type Call, job } from '../../../app.ts'
import { addDays } from '../../../kit/clock.ts'
import { storeAuditRow } from '../../audit/index.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { registryRenewal } from '../holdings/expiry-plausibility.ts'
import { lifecycleStatus } from '../holdings/lifecycle.ts'
import { shownExpiry } from '../holdings/shown-expiry.ts'
import { lockHolding, noteDeletion } from '../holdings/sync.sql.ts'
import { syncHolding } from '../holdings/sync.ts'
import { registryOf } from '../names.ts'
import { byRegistry, type Compartment } from '../per-registry.ts'
import { liftClientHolds, setClientHold } from './client-hold.ts'
import {
  claimUnrenewed,
  isUnrenewedByLedger,
  markDeleting,
  unmarkDeleting,
} from './delete-unrenewed.sql.ts'
import { notifyDeleted } from './deletion-email.ts'
import { deleteAtRegistry } from './registry-delete.ts'

const pace = { at_once: 16, every_ms: 60_000 }
const again_ms = 10 * 60_000
const refused_again_ms = 6 * 3_600_000
/** For a domain that its registry has not renewed or is deleting; a change makes it due at once. */
const later_ms = 86_400_000
/** After this time a deletion that was sent no longer takes effect. */
const landed_days = 1
const grace_days = 45

export const deleteUnrenewed = job({
  name: 'delete_unpaid_domains',
  does: 'Deletes unrenewed domains before the registry bills the registrar irrevocably.',
  every_ms: pace.every_ms,
  wakes_on: 'sandbox_clock',
  run: (app, call) => byRegistry(app, pace, (at) => deleteDue(app, call, at)),
})

async function deleteDue(app: App, call: Call, at: Compartment) {
  await liftClientHolds(app, call, at)
  const taken = await app.db.run(claimUnrenewed, {
    expired_by: expiredFor(app, 0),
    again_at: expiredFor(app, again_ms),
    later_at: expiredFor(app, later_ms),
    limit: at.limit,
    registry: at.name,
  })
  await Promise.all(
    taken.map(async ({ is_due, ...holding }) => {
      if (!is_due) return
      await deleteUnrenewedDomain(app, call, holding).catch((error) => {
        app.log.error({ err: error, domain: holding.name }, 'unrenewed domain not deleted yet')
      })
    }),
  )
  return taken.length
}

/** Holdings that expired by then are checked in `wait_ms`. */
function expiredFor({ calendar, settings }: App, wait_ms: number): Date {
  return addDays(new Date(calendar.now().getTime() + wait_ms), -settings.unpaid_delete_days)
}

/** Takes one step for one name, by its present state at the registry. Each may be repeated. */
export async function deleteUnrenewedDomain(app: App, call: Call, known: Holding): Promise<void> {
  const synced = await syncHolding(app, known, 'normal')
  if (synced.kind === 'left' || synced.kind === 'dropped') return
  if (synced.kind !== 'held') return raiseAlarm(app, known, `It cannot be read: ${synced.kind}`)
  const { holding } = synced
  if (isGoing(app, holding)) {
    if (holding.deletion_at) await notifyDeleted(app, call, holding)
    return
  }
  const now = app.calendar.now()
  const shown = shownExpiry(synced.found, holding.registry_expiry, now)
  switch (registryRenewal(holding.expiry, shown, now)) {
    case 'none':
      if (holding.deletion_at) await unmark(app, holding, again_ms)
      return
    case 'odd':
      return keepOdd(app, holding, synced.found)
    case 'added':
      return end(app, call, holding)
  }
}

/** Whether the registry shows a year more than is paid, by this reading and by the ledger. */
async function end(app: App, call: Call, holding: Holding): Promise<void> {
  const due = addDays(app.calendar.now(), -app.settings.unpaid_delete_days)
  const { unrenewed } = await app.db.one(isUnrenewedByLedger, { id: holding.id, expired_by: due })
  if (!unrenewed) {
    raiseAlarm(app, holding, 'The ledger does not say that it is unrenewed.')
    return keep(app, holding)
  }
  const first = holding.deletion_at === null
  const marked = first ? await mark(app, call, holding) : holding
  if (marked) await remove(app, call, { holding: marked, first })
}

/** A domain is not deleted for a date that no rule of a registry explains. */
async function keepOdd(app: App, holding: Holding, found: RegistryDomain): Promise<void> {
  raiseAlarm(app, holding, `It shows an expiry that nothing explains: ${found.expires_at}`)
  await keep(app, holding)
}

/** Puts the domain off; one whose deletion may still take effect stays marked. */
async function keep(app: App, holding: Holding): Promise<void> {
  if (holding.deletion_at === null || longAgo(app, holding))
    await unmark(app, holding, refused_again_ms)
}

function isGoing(app: App, holding: Holding): boolean {
  const status = lifecycleStatus(holding, app.calendar.now())
  return status === 'redemption' || status === 'pending_delete'
}

/**
 * Marks the domain as being deleted, with an audit row. A renewal is placed under the same lock, so
 * either it is seen here, or it sees the mark.
 */
async function mark(app: App, call: Call, { id, name, customer_id, expiry }: Holding) {
  const now = app.calendar.now()
  const audit = call.auditRow({
    action: 'delete_unpaid_domain',
    target_type: 'domain',
    target: name,
    customer_id,
    result: 'pending',
    metadata: { expiry: expiry.toISOString() },
  })
  return app.db.transaction(async (sql) => {
    await sql.maybe(lockHolding, { id })
    const marked = await sql.maybe(markDeleting, { id, deletion_at: now, expiry })
    if (marked) await storeAuditRow(sql, audit)
    return marked
  })
}

async function unmark(app: App, { id }: Holding, wait_ms: number): Promise<void> {
  await app.db.run(unmarkDeleting, { id, delete_at: expiredFor(app, wait_ms) })
}

/** `first` is whether nothing was sent for it before. */
type Removal = { holding: Holding; first: boolean }

async function remove(app: App, call: Call, { holding, first }: Removal): Promise<void> {
  const registry = registryOf(app, holding.name)
  if (!registry) return raiseAlarm(app, holding, 'Its TLD is no longer sold here')
  app.reached?.('before_delete')
  const removal = await deleteAtRegistry(app, registry, holding)
  app.reached?.('after_delete')
  switch (removal.kind) {
    case 'sent': {
      const noted = await app.db.maybe(noteDeletion, {
        id: holding.id,
        deleted_at: app.calendar.now(),
      })
      const after = await syncHolding(app, noted ?? holding, 'normal')
      if (after.kind === 'held' && isGoing(app, after.holding))
        await notifyDeleted(app, call, after.holding)
      return
    }
    case 'silence':
      return raiseAlarm(app, holding, removal.why)
    case 'in_use':
    case 'refused': {
      raiseAlarm(app, holding, removal.why)
      const kept = { registry, holding }
      const why = removal.kind === 'in_use' ? await setClientHold(app, call, kept) : null
      if (why !== null) raiseAlarm(app, holding, `It cannot be put on hold: ${why}`)
      // Its owner may renew it again, unless an earlier sending may still do what this one did not.
      if (first || longAgo(app, holding)) await unmark(app, holding, refused_again_ms)
    }
  }
}

function longAgo(app: App, { deletion_at }: Holding): boolean {
  return deletion_at !== null && addDays(deletion_at, landed_days) <= app.calendar.now()
}

function raiseAlarm(app: App, { name: domain, expiry }: Holding, detail: string): void {
  const left = addDays(expiry, grace_days).getTime() - app.calendar.now().getTime()
  const days_left = Math.floor(left / 86_400_000)
  const facts = { domain, detail, days_left, alarm: 'unpaid_domain_kept' }
  app.log.error(facts, 'an unrenewed domain could not be deleted')
}
