// Answers another registrar's transfer request for the owner: POST
// /v1/domains/{domain}/transfer/approve and /reject. Without an answer, the registry
// transfers the domain after five days.

import type { RegistryTransfer } from '../../../adapters/registry/port.ts'
import type { App, Call } from '../../../app.ts'
import type { DomainName } from '../../../kit/random.ts'
import { freshLogInNeeded, requireFreshSession } from '../../account/index.ts'
import { requestChanged } from '../../approvals/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { domainNotFound, noTransferPending, registryUnreachable } from '../faults.ts'
import { type Holding, lastStatusOf } from '../holdings/domain-presenter.ts'
import { holdingByName, lastHoldingOf } from '../holdings/holdings.sql.ts'
import { syncHolding } from '../holdings/sync.ts'
import { hostOf, registryOf } from '../names.ts'
import { operationOf, statusWithOrder } from '../orders/order-presenter.ts'
import { lastOrder } from '../orders/orders.sql.ts'
import type { DomainStatus } from '../schemas.ts'
import { endWithChange, isHeldToApproval, requireApproval } from '../updates/approved-change.ts'
import {
  confirmWithRegistry,
  type PreviousRounds,
  refusedByRegistry,
  type Step,
} from '../updates/confirm-with-registry.ts'
import { type DomainLease, withDomainLease } from '../updates/domain-lease.ts'
import { rightToChange } from '../updates/right-to-change.ts'
import {
  approvalFaults,
  domainOperation,
  requireHolding,
  updateFaults,
} from './domain-operation.ts'

const common = {
  scope: 'domains:transfer',
  fails: [...updateFaults, noTransferPending],
} as const

const tool = { group: 'transfers and locks', idempotent: true } as const

export const approveTransfer = domainOperation({
  ...common,
  name: 'approve_transfer',
  does: 'Approve the pending transfer of one of your domains; it moves away immediately.',
  more:
    'The domain then leaves this account, which cannot be undone. A session needs a log-in ' +
    'within the last ten minutes.',
  fails: [freshLogInNeeded, ...approvalFaults, ...common.fails],
  at: 'POST /v1/domains/{domain}/transfer/approve',
  tools: [{ ...tool, title: 'Approve a transfer away', destructive: true }],
  run: (input, call, app) => decide(app, call, { domain: hostOf(input.domain), says: 'approve' }),
})

export const rejectTransfer = domainOperation({
  ...common,
  name: 'reject_transfer',
  does: 'Reject the pending transfer of one of your domains to another registrar.',
  more:
    'The other registrar has its code: lock the domain, or regenerate the code, so that ' +
    'it cannot be requested again.',
  at: 'POST /v1/domains/{domain}/transfer/reject',
  tools: [{ ...tool, title: 'Reject a transfer away', destructive: false }],
  run: (input, call, app) => decide(app, call, { domain: hostOf(input.domain), says: 'reject' }),
})

type Decision = {
  domain: DomainName
  says: 'approve' | 'reject'
  /** The only request that may be answered; by default the one that is pending. */
  only?: TransferRequest
}
/** The registrar that asked, and when, since another request has another time. */
type TransferRequest = Pick<RegistryTransfer, 'requested_by' | 'requested_at'>
const ended = { approve: 'clientApproved', reject: 'clientRejected' } as const

async function decide(app: App, call: Call, asked: Decision): Promise<DomainStatus> {
  const { domain, says } = asked
  const known = await requireHolding(call, domain, `${says}_transfer`)
  if (says === 'approve') requireFreshSession(app, call)
  const isHeld = says === 'approve' && isHeldToApproval(call, known)
  const decision = isHeld ? { ...asked, only: await approvedRequest(app, call, known) } : asked
  const facts = { target_type: 'domain', target: domain }
  const right = rightToChange(call, { holding: known, guarded: says === 'approve' })
  return withDomainLease(app, { domain, right }, async (lease) => {
    const { requested_by, requested_at } = await confirmWithRegistry(app, call, {
      lease,
      facts,
      round: (soFar) => answerRequest(lease, decision, soFar),
    })
    const metadata = { requested_by, requested_at }
    await app.db.transaction(async (sql) => {
      await storeAuditRow(sql, call.auditRow({ ...facts, result: 'success', metadata }))
      await endWithChange(sql, call)
    })
    return statusNow(app, call, known)
  })
}

/**
 * The pending request that the owner approves or has approved, as another one may be pending when
 * the service answers.
 */
async function approvedRequest(app: App, call: Call, holding: Holding): Promise<TransferRequest> {
  const { name: domain } = holding
  const registry = registryOf(app, domain)
  if (!registry) throw noTransferPending()
  const asked = await registry.transferQuery(domain, 'normal')
  if (asked.kind === 'refused') throw noTransferPending()
  if (asked.kind !== 'done') throw registryUnreachable({ retry_after_s: 5 })
  const { status, requested_by, requested_at, acts_at } = asked.value
  if (status !== 'pending' || requested_by === registry.profile.client_id) throw noTransferPending()
  const about = { requested_by, requested_at }
  const request = { ...about, acts_at }
  const change = { action: 'approve_transfer', holding, input: { domain } }
  await requireApproval(app, call, { ...change, about, request })
  return about
}

/** Reads the transfer first, so that no answer is given twice. */
async function answerRequest(
  lease: DomainLease,
  { domain, says, only }: Decision,
  { refused, sent }: PreviousRounds,
): Promise<Step<RegistryTransfer>> {
  const { registry, priority } = lease
  const asked = await registry.transferQuery(domain, priority)
  if (asked.kind === 'refused') throw noTransferPending()
  if (asked.kind !== 'done') return { kind: 'silent' }
  const { status, requested_by, requested_at } = asked.value
  if (only && (only.requested_by !== requested_by || only.requested_at !== requested_at))
    throw requestChanged()
  if (sent && status === ended[says]) return { kind: 'confirmed', value: asked.value }
  if (status !== 'pending')
    throw noTransferPending({ detail: `The transfer has ended: ${status}.` })
  if (requested_by === registry.profile.client_id) throw noTransferPending()
  if (refused) throw refusedByRegistry(refused)
  const outcome = await lease.send((attempt) =>
    says === 'approve'
      ? registry.transferApprove(domain, attempt)
      : registry.transferReject(domain, attempt),
  )
  return outcome.kind === 'done'
    ? { kind: 'confirmed', value: outcome.value }
    : { kind: 'answered', outcome }
}

/** The status of the holding as the registry shows it now, or as it ended. */
async function statusNow(app: App, call: Call, known: Holding): Promise<DomainStatus> {
  const { customer_id, name } = known
  const order = await call.sql.maybe(lastOrder, { customer_id, domain: name })
  const synced = await syncHolding(app, known, 'normal')
  if (synced.kind === 'held' || synced.kind === 'missing')
    return statusWithOrder(synced.holding, order, app.calendar.now())
  const held = await app.db.maybe(holdingByName, { customer_id, name })
  if (held) return statusWithOrder(held, order, app.calendar.now())
  const last = await app.db.maybe(lastHoldingOf, { customer_id, name })
  if (!last) throw domainNotFound()
  return lastStatusOf(last, order ? operationOf(order) : null)
}
