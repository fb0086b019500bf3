// clientHold (RFC 5731 2.3) on an unrenewed domain that cannot be deleted, because other domains
// use hosts below it: it does not resolve until it is renewed.
import Type from 'typebox'
import type { Registry } from '../../../adapters/registry/port.ts'
import type { App, Call } from '../../../app.ts'
import { done, type TaskEnd, taskKind, workTasks } from '../../../tasks/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { syncHolding } from '../holdings/sync.ts'
import { isWithin, registryOf } from '../names.ts'
import type { Compartment } from '../per-registry.ts'
import { clearClientHold, markClientHold, renewedOnHold } from './client-hold.sql.ts'
import { attemptOf } from './registry-delete.ts'

const hold = 'clientHold'
const again_ms = 10 * 60_000

type Kept = { registry: Registry; holding: Holding }

/**
 * Sets the hold, and restores those own name servers of the domain that still exist, so that it
 * works as before once it is renewed. Returns the error, or null. A hold that was set elsewhere
 * stays.
 */
export async function setClientHold(app: App, call: Call, kept: Kept): Promise<string | null> {
  const { registry, holding } = kept
  const { id, name: domain, nameservers, epp_statuses } = holding
  const held = epp_statuses.includes(hold)
  if (!held)
    await app.db.transaction(async (sql) => {
      if (!(await sql.maybe(markClientHold, { id, lift_hold_at: app.calendar.now() }))) return
      await storeAuditRow(sql, auditOf(call, holding, 'hold_unpaid_domain'))
    })
  const own = nameservers.filter((host) => isWithin(domain, host))
  const there = await registry.readGlue?.(own, 'normal')
  const hosts = there?.kind === 'done' ? there.value : {}
  const add = own.filter((host) => Object.hasOwn(hosts, host))
  const command = {
    domain,
    nameservers: { add, remove: [] },
    statuses: { add: held ? [] : [hold], remove: [] },
  }
  const set = await registry.update(command, attemptOf(app))
  return set.kind === 'refused' || set.kind === 'unknown' ? set.message : null
}

/** Enqueued by a trigger of domains, in the registries' time; the bulkhead is the registry. */
const liftClientHold = taskKind({
  kind: 'lift_client_hold',
  payload: Type.Object({ domain_id: Type.String({ pattern: '^[0-9]+$' }) }),
  backoff: { first_ms: again_ms, longest_ms: again_ms },
  most_attempts: null,
})

/** Takes our hold off holdings that are renewed. */
export async function liftClientHolds(app: App, call: Call, at: Compartment): Promise<void> {
  const now = app.calendar.now()
  await workTasks(app, liftClientHold, {
    bulkhead: at.name,
    now,
    limit: Number(at.limit),
    async handle({ payload }) {
      const holding = await app.db.maybe(renewedOnHold, { id: BigInt(payload.domain_id), now })
      if (!holding) return done
      return lift(app, call, holding).then(
        () => done,
        (error): TaskEnd => {
          const facts = { err: error, domain: holding.name, alarm: 'paid_domain_on_hold' }
          app.log.error(facts, 'hold of a renewed domain not lifted yet')
          return { end: 'retry', reason: error instanceof Error ? error.message : String(error) }
        },
      )
    },
  })
}

async function lift(app: App, call: Call, known: Holding): Promise<void> {
  const registry = registryOf(app, known.name)
  if (!registry) throw new Error('Its TLD is no longer sold here')
  const synced = await syncHolding(app, known, 'normal')
  if (synced.kind === 'left' || synced.kind === 'dropped') return
  if (synced.kind !== 'held') throw new Error(`It cannot be read: ${synced.kind}`)
  const { holding } = synced
  if (holding.epp_statuses.includes(hold)) {
    const command = { domain: holding.name, statuses: { add: [], remove: [hold] } }
    const lifted = await registry.update(command, attemptOf(app))
    if (lifted.kind === 'refused' || lifted.kind === 'unknown') throw new Error(lifted.message)
  }
  await app.db.transaction(async (sql) => {
    if (!(await sql.maybe(clearClientHold, { id: holding.id }))) return
    await storeAuditRow(sql, auditOf(call, holding, 'lift_unpaid_hold'))
  })
  await syncHolding(app, holding, 'normal')
}

function auditOf(call: Call, { name, customer_id, expiry }: Holding, action: string) {
  return call.auditRow({
    action,
    target_type: 'domain',
    target: name,
    customer_id,
    result: 'success',
    metadata: { expiry: expiry.toISOString() },
  })
}
