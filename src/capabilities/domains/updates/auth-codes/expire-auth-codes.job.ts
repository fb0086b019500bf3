// Takes authorization codes away from the registries after their time (RFC 9154 section 4.3).

import { type Outcome, refusesAuthInfo } from '../../../../adapters/registry/port.ts'
import { type App, job } from '../../../../app.ts'
import { newAuthInfo } from '../../../../kit/auth-info.ts'
import { Fault } from '../../../../kit/fault.ts'
import { storeAuditRow, systemCall } from '../../../audit/index.ts'
import { registryOf } from '../../domain-name.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { byRegistry, type Compartment } from '../../per-registry.ts'
import { type DomainLease, leaseDomain } from '../domain-lease.ts'
import { changeUnderWay } from '../update-faults.ts'
import { claimExpiredCodes, isStillClaimed, purgeAuthCode } from './auth-codes.sql.ts'

const pace = { at_once: 20, every_ms: 60_000 }
/** A registry that is silent, or a domain that may not be changed now, is tried again. */
const again_ms = 3_600_000

export const unsetAuthCodes = job({
  name: 'unset_auth_codes',
  does: 'Takes transfer codes away from the registries after their seven days.',
  every_ms: pace.every_ms,
  wakes_on: 'sandbox_clock',
  run: (app) => byRegistry(app, pace, (at) => unsetDue(app, at)),
})

async function unsetDue(app: App, { name, limit }: Compartment) {
  const now = app.calendar.now()
  const until = new Date(now.getTime() + again_ms)
  const due = await app.db.run(claimExpiredCodes, [now, until, limit, name])
  for (const holding of due) await unset(app, holding, until)
  return due.length
}

/** What goes wrong with one domain is told, and is no other's delay. */
async function unset(app: App, holding: Holding, until: Date): Promise<void> {
  const { id, name: domain, customer_id } = holding
  const registry = registryOf(app, domain)
  if (!registry) return
  const request = { domain, registry, priority: 'background', wait_ms: 0 } as const
  const work = async (lease: DomainLease) => {
    // Its owner may have asked for another code meanwhile.
    if (!(await app.db.maybe(isStillClaimed, [id, until]))) return
    const outcome = await takeAway(lease, domain)
    if (outcome.kind !== 'done') {
      const { kind, message } = { message: '1001', ...outcome }
      app.log.warn({ domain, kind, detail: message }, 'transfer code not taken away yet')
      return
    }
    const call = systemCall(app, 'unset_auth_code')
    const row = { target_type: 'domain', target: domain, customer_id, result: 'success' } as const
    await app.db.transaction(async (sql) => {
      if ((await sql.count(purgeAuthCode, [id, until])) > 0)
        await storeAuditRow(sql, call.auditRow(row))
    })
  }
  await leaseDomain(app, request, work).catch((error) => {
    if (!(error instanceof Fault) || error.type !== changeUnderWay) throw error
    app.log.info({ domain }, 'transfer code left to whoever changes the domain')
  })
}

/** Where a registry takes no empty value, one that nobody knows does as well. */
async function takeAway(lease: DomainLease, domain: string): Promise<Outcome<unknown>> {
  const { registry } = lease
  const unset = await lease.send((attempt) => registry.update({ domain, auth_info: null }, attempt))
  const final = ['status', 'not_ours', 'absent']
  if (unset.kind !== 'refused' || final.includes(unset.reason)) return unset
  const set = (wanted: string) =>
    lease.send((attempt) => registry.renewAuthInfo({ domain, wanted }, attempt))
  const first = await set(newAuthInfo())
  return refusesAuthInfo(first) ? set(newAuthInfo('alphanumeric')) : first
}
