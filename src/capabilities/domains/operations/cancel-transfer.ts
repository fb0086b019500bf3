// Cancels a transfer in that the other registrar has not answered: POST
// /v1/domains/{domain}/transfer/cancel.

import { randomUUID } from 'node:crypto'
import type { App, Call } from '../../../app.ts'
import { faultWith } from '../../../kit/fault.ts'
import { wordOf } from '../../../kit/schema.ts'
import { storeAuditRow } from '../../audit/index.ts'
import * as faults from '../faults.ts'
import { domainStateOfOrder } from '../holdings/lifecycle.ts'
import { refusalOf } from '../holdings/state-rules.ts'
import { hostOf, registryOf } from '../names.ts'
import { newAttempt } from '../orders/attempt.ts'
import type { Execution, Round } from '../orders/handlers/order-handler.ts'
import { transferHandler } from '../orders/handlers/transfer-order.ts'
import { answerOfOrder } from '../orders/idempotency.ts'
import { auditTarget, type Order, orderTypes } from '../orders/order.ts'
import { releaseDeferred } from '../orders/order-faults.ts'
import { operationOf, statusOfOrder } from '../orders/order-presenter.ts'
import { settleReconciled } from '../orders/order-steps.ts'
import {
  claimTransfer,
  lastOrder,
  openOrder,
  orderById,
  releaseLease,
} from '../orders/orders.sql.ts'
import { leaseMs, sendBy } from '../registry-lease.ts'
import { domainOperation } from './domain-operation.ts'

export const cancelTransfer = domainOperation({
  name: 'cancel_transfer',
  does: 'Cancel a pending transfer in; the held money is released.',
  at: 'POST /v1/domains/{domain}/transfer/cancel',
  scope: 'domains:purchase',
  fails: [
    faults.domainNotFound,
    faults.domainPending,
    faults.noTransferPending,
    faults.registryUnreachable,
  ],
  tools: [
    {
      group: 'transfers and locks',
      title: 'Cancel a transfer here',
      destructive: true,
      idempotent: true,
    },
  ],
  async run({ domain }, call, app) {
    const name = hostOf(domain)
    const held = await claim(app, call, name)
    const round = await cancel(executionOf(app, call, held))
    const { id, customer_id } = held.order
    const order = await app.db.one(orderById, { id, customer_id })
    if (round.result === 'open') throw faults.registryUnreachable({ retry_after_s: 5 })
    if (order.state === 'failed') {
      // The last row of the order is in the transaction that released the money.
      const metadata = { order: id }
      await storeAuditRow(
        app.db,
        call.auditRow({ ...auditTarget(order), result: 'success', metadata }),
      )
      return statusOfOrder(order)
    }
    const { status } = await answerOfOrder(app, app.db, order)
    throw faults.noTransferPending({
      detail: 'It was complete before it could be canceled.',
      facts: { holding: status },
    })
  },
})

type Held = { order: Order; token: string; claimed_ms: number }

/**
 * The order under a lease of this call, for which it waits while the settle job reads the order.
 */
async function claim(app: App, call: Call, name: string): Promise<Held> {
  const registry = registryOf(app, name)
  if (!registry) throw faults.noTransferPending()
  const open = await app.db.maybe(openOrder, { domain: name, customer_id: call.customer_id })
  if (!open && !(await app.db.maybe(lastOrder, { customer_id: call.customer_id, domain: name })))
    throw faults.domainNotFound()
  if (!open) throw faults.noTransferPending()
  const refusal = refusalOf(domainStateOfOrder(open), 'cancel_transfer')
  if (refusal) throw faultWith(refusal, { facts: { operation: operationOf(open) } })
  const token = randomUUID()
  for (let turn = 0; turn < 20; turn += 1) {
    const claimed_ms = app.monotonic_ms()
    const order = await app.db.maybe(claimTransfer, {
      customer_id: call.customer_id,
      domain: name,
      lease_ms: leaseMs(registry),
      lease_token: token,
    })
    if (order) return { order, token, claimed_ms }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw faults.noTransferPending()
}

function executionOf(app: App, call: Call, { order, token, claimed_ms }: Held): Execution {
  const registry = registryOf(app, order.domain)
  if (!registry) throw faults.noTransferPending()
  const type = wordOf(orderTypes, order.type)
  const fingerprints = [...order.fingerprints]
  const send_by_ms = sendBy(registry, claimed_ms)
  return {
    app,
    call,
    handler: transferHandler,
    registry,
    order: { ...order, type, fingerprints, lease_token: token, send_by_ms },
    attempt: newAttempt(order.id, order.attempts),
    mode: 'read',
    pendingRequest: null,
  }
}

/**
 * An order that is canceled at the registry is released. Otherwise the state at the registry
 * decides.
 */
async function cancel(execution: Execution): Promise<Round> {
  const { app, handler, order, registry } = execution
  const outcome = await send(execution)
  if (outcome.kind === 'done') {
    const detail = 'The transfer was canceled.'
    return settleReconciled(execution, {
      decision: { do: 'release', code: 'transfer_cancelled', detail },
    })
  }
  const why = { after: 'acceptance' } as const
  const seen = await handler.reconcile(app, { order, registry, why })
  const round = await settleReconciled(execution, seen)
  if (round.result === 'open' && round.code !== releaseDeferred && outcome.kind === 'refused')
    throw faults.noTransferPending({ detail: `It cannot be cancelled: ${outcome.message}.` })
  return round
}

/** If the right to it has ended, nothing is sent, and the settle job continues with the order. */
async function send({ app, call, order, registry, attempt }: Execution) {
  const { id, domain, lease_token } = order
  const permit = () =>
    call.assertStillAllowed({ domain }).catch(async (ended) => {
      await app.db.count(releaseLease, { id, lease_token })
      throw ended
    })
  return registry.transferCancel(domain, {
    cl_trid: attempt.cl_trid,
    priority: 'purchase',
    permit,
    at: (step) => app.reached?.(step),
  })
}
