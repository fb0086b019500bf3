// Removes authorization codes from the registries after their time (RFC 9154 section 4.3).
import Type from 'typebox'
import { type Outcome, refusesAuthInfo } from '../../../../adapters/registry/port.ts'
import { type App, job } from '../../../../app.ts'
import { Fault } from '../../../../kit/fault.ts'
import { type DomainName, newAuthInfo } from '../../../../kit/random.ts'
import { done, type TaskEnd, taskKind, workTasks } from '../../../../tasks/index.ts'
import { storeAuditRow, systemCall } from '../../../audit/index.ts'
import { registryOf } from '../../names.ts'
import { byRegistry } from '../../per-registry.ts'
import { type DomainLease, leaseDomain } from '../domain-lease.ts'
import { changeUnderWay } from '../update-faults.ts'
import { expiredCode, isStillExpired, purgeAuthCode } from './auth-codes.sql.ts'

// One at a time for each registry, because each may take several commands.
const pace = { at_once: 1, every_ms: 60_000 }
/** A registry that is silent, or a domain that may not be changed now, is tried again. */
const again_ms = 3_600_000

/** Enqueued by triggers of domains, in the registries' time; the bulkhead is the registry. */
const unsetAuthCode = taskKind({
  kind: 'unset_auth_code',
  payload: Type.Object({ domain_id: Type.String({ pattern: '^[0-9]+$' }) }),
  backoff: { first_ms: again_ms, longest_ms: again_ms },
  most_attempts: null,
})

export const unsetAuthCodes = job({
  name: 'unset_auth_codes',
  does: 'Removes transfer codes at the registries after their seven days.',
  every_ms: pace.every_ms,
  wakes_on: 'sandbox_clock',
  per_node: true,
  run: (app) =>
    byRegistry(app, pace, ({ name, limit }) =>
      workTasks(app, unsetAuthCode, {
        bulkhead: name,
        now: app.calendar.now(),
        limit: Number(limit),
        handle: ({ payload }) => unset(app, BigInt(payload.domain_id)),
      }),
    ),
})

async function unset(app: App, id: bigint): Promise<TaskEnd> {
  const expired = await app.db.maybe(expiredCode, { id, now: app.calendar.now() })
  if (!expired) return done
  const registry = registryOf(app, expired.name)
  if (!registry) return { end: 'retry', reason: 'Its TLD is no longer sold here' }
  const { name: domain, customer_id, unset_at } = expired
  const request = { domain, registry, priority: 'background', wait_ms: 0 } as const
  const work = async (lease: DomainLease): Promise<TaskEnd> => {
    // Its owner may have asked for another code meanwhile.
    if (!(await app.db.maybe(isStillExpired, { id, auth_code_unset_at: unset_at }))) return done
    const outcome = await takeAway(lease, domain)
    if (outcome.kind !== 'done') {
      const { kind, message } = { message: 'The registry accepted it (1001).', ...outcome }
      app.log.warn({ domain, kind, detail: message }, 'transfer code not removed yet')
      return { end: 'retry', reason: message }
    }
    const row = { target_type: 'domain', target: domain, customer_id, result: 'success' } as const
    const audit = systemCall(app, 'unset_auth_code').auditRow(row)
    // This is under the lease, so that the code does not change before it is purged.
    await app.db.transaction(async (sql) => {
      if ((await sql.count(purgeAuthCode, { id, auth_code_unset_at: unset_at })) > 0)
        await storeAuditRow(sql, audit)
    })
    return done
  }
  return leaseDomain(app, request, work).catch((error) => {
    if (!(error instanceof Fault) || error.type !== changeUnderWay) throw error
    app.log.info({ domain }, 'transfer code left to the change of the domain that is in progress')
    return { end: 'retry', reason: error.message, uncounted: true }
  })
}

/** If a registry takes no empty value, a random one that is not kept serves as well. */
async function takeAway(lease: DomainLease, domain: DomainName): Promise<Outcome<unknown>> {
  const { registry } = lease
  const unset = await lease.send((attempt) => registry.update({ domain, auth_info: null }, attempt))
  const final = ['status', 'not_ours', 'absent']
  if (unset.kind !== 'refused' || final.includes(unset.reason)) return unset
  const set = (wanted: string) =>
    lease.send((attempt) => registry.renewAuthInfo({ domain, wanted }, attempt))
  const first = await set(newAuthInfo())
  return refusesAuthInfo(first) ? set(newAuthInfo('alphanumeric')) : first
}
