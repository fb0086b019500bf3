// POST transfer/approve and transfer/reject: the owner's answer when another registrar asks for the
// domain. Unanswered, the registry lets it go after five days.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome, RegistryTransfer } from '../../../adapters/registry/port.ts'
import type { App, Call } from '../../../app.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { domainNotFound, noTransferPending, registryUnreachable } from '../faults.ts'
import { type Holding, lastStatusOf, statusOfHolding } from '../holdings/domain-presenter.ts'
import { requireHolding } from '../holdings/require-holding.ts'
import { registryOf, syncHolding } from '../holdings/sync.ts'
import { holdingByName, lastHoldingOf, lastOrder } from '../orders/orders.sql.ts'
import type { DomainStatus } from '../schemas.ts'
import { patienceOf } from '../updates/domain-update.ts'
import { changeRefused, changeUnconfirmed } from '../updates/update-faults.ts'
import { type Alone, alone } from '../updates/update-lease.ts'
import { domainOperation, updateFaults } from './domain-operation.ts'
import { hostOf } from './paid-request.ts'

const common = {
  scope: 'domains:transfer',
  fails: [...updateFaults, noTransferPending],
} as const

const tool = { group: 'transfers and locks', idempotent: true } as const

export const approveTransfer = domainOperation({
  ...common,
  name: 'approve_transfer',
  does: 'Let one domain of yours go, at once, to the registrar that asks for it.',
  more: 'It is then gone from this account, and cannot be called back.',
  at: 'POST /v1/domains/{domain}/transfer/approve',
  tools: [{ ...tool, title: 'Approve a transfer away', destructive: true }],
  run: (input, call, app) => decide(app, call, { domain: hostOf(input.domain), says: 'approve' }),
})

export const rejectTransfer = domainOperation({
  ...common,
  name: 'reject_transfer',
  does: 'Keep one domain of yours: reject the transfer that another registrar asks for.',
  more:
    'The other registrar was given its code: lock the domain, or regenerate the code, so that ' +
    'it is not asked for again.',
  at: 'POST /v1/domains/{domain}/transfer/reject',
  tools: [{ ...tool, title: 'Reject a transfer away', destructive: false }],
  run: (input, call, app) => decide(app, call, { domain: hostOf(input.domain), says: 'reject' }),
})

type Decision = { domain: string; says: 'approve' | 'reject' }
const ended = { approve: 'clientApproved', reject: 'clientRejected' } as const
const most_rounds = 4
const pause_ms = 200

async function decide(app: App, call: Call, decision: Decision): Promise<DomainStatus> {
  const { domain, says } = decision
  const known = await requireHolding(call, domain, `${says}_transfer`)
  const registry = registryOf(app, domain)
  if (!registry) throw registryUnreachable({ retry_after_s: 60 })
  const wait_ms = patienceOf(registry)
  return alone(app, { domain, registry, priority: 'normal', wait_ms }, async (held) => {
    const transfer = await inRounds(app, call, { held, decision })
    const { requested_by, requested_at } = transfer
    await storeAuditRow(
      app.db,
      call.auditRow({
        target_type: 'domain',
        target: domain,
        result: 'success',
        metadata: { requested_by, requested_at },
      }),
    )
    return statusNow(app, call, known)
  })
}

/** Asks first, so that what is done already, by whomever, is not done twice. */
async function inRounds(
  app: App,
  call: Call,
  { held, decision }: { held: Alone; decision: Decision },
): Promise<RegistryTransfer> {
  const { domain, says } = decision
  let refused: Extract<Outcome<unknown>, { kind: 'refused' }> | null = null
  let sent = false
  for (let round = 0; round < most_rounds; round += 1) {
    if (round > 0) await held.keep()
    const asked = await held.registry.transferQuery(domain, held.priority)
    if (asked.kind === 'refused') throw noTransferPending()
    if (asked.kind !== 'done') {
      await sleep(pause_ms)
      continue
    }
    if (asked.value.status !== 'pending') {
      if (sent && asked.value.status === ended[says]) return asked.value
      throw noTransferPending({ detail: `The transfer has ended: ${asked.value.status}.` })
    }
    if (asked.value.requested_by === held.registry.profile.client_id) throw noTransferPending()
    if (refused) {
      const facts = { epp_code: refused.code }
      throw changeRefused({ detail: `The registry refused: ${refused.message}`, facts })
    }
    const outcome = await answer(held, decision)
    if (outcome.kind === 'done') return outcome.value
    if (outcome.kind === 'refused') refused = outcome
    else sent ||= outcome.kind === 'accepted' || outcome.cause === 'silence'
  }
  if (!sent) throw registryUnreachable({ retry_after_s: 5 })
  const facts = { result: 'unknown', status_code: 503, error_code: changeUnconfirmed.code } as const
  await storeAuditRow(app.db, call.auditRow({ target_type: 'domain', target: domain, ...facts }))
  throw changeUnconfirmed({ retry_after_s: 5 })
}

function answer(held: Alone, { domain, says }: Decision): Promise<Outcome<RegistryTransfer>> {
  const { registry } = held
  return held.send((attempt) =>
    says === 'approve'
      ? registry.transferApprove(domain, attempt)
      : registry.transferReject(domain, attempt),
  )
}

/** The holding as the registry shows it now, or as it ended. */
async function statusNow(app: App, call: Call, known: Holding): Promise<DomainStatus> {
  const { customer_id, name } = known
  const synced = await syncHolding(app, known, 'normal')
  const order = await call.sql.maybe(lastOrder, [customer_id, name])
  if (synced.kind === 'held' || synced.kind === 'missing')
    return statusOfHolding(synced.holding, order, app.calendar.now())
  const held = await app.db.maybe(holdingByName, [customer_id, name])
  if (held) return statusOfHolding(held, order, app.calendar.now())
  const last = await app.db.maybe(lastHoldingOf, [customer_id, name])
  if (!last) throw domainNotFound()
  return lastStatusOf(last, order)
}
