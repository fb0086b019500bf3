// Ends an order that needs manual review by an operator's decision, as ours or as not ours: POST
// /v1/internal/parked-orders/{id}/settle and /release.

import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import type { RegistryDomain } from '../../../adapters/registry/port.ts'
import { type App, type AuditFacts, type Call, operation, operatorOnly } from '../../../app.ts'
import { FieldReader } from '../../../kit/field-reader.ts'
import type { OrderId } from '../../../kit/random.ts'
import { withDefault, wordOf } from '../../../kit/schema.ts'
import { registryUnreachable } from '../faults.ts'
import { newAttempt } from '../orders/attempt.ts'
import type { OpenOrder } from '../orders/handlers/order-handler.ts'
import { handlerOf } from '../orders/handlers/order-handlers.ts'
import { isHeldSince } from '../orders/handlers/register-order.ts'
import { type Order, orderTypes } from '../orders/order.ts'
import { closeOrder, holdingAfter } from '../orders/order-steps.ts'
import { isOfThisOrder } from '../orders/reconcile/reconcile.ts'
import { orderId, parkedOrder, parkedOrderOf } from './list-parked-orders.ts'
import { readRegistryState, type Shown } from './parked-order-facts.ts'
import {
  orderAsBought,
  orderClosed,
  orderHeld,
  orderNotAsBought,
  orderNotFound,
  orderNotOurs,
  orderNotParked,
  orderWithoutHolding,
} from './parked-order-faults.ts'
import { anyOrderById, giveBackOrder, holderOfName, takeParked } from './parked-orders.sql.ts'

const common = [orderNotFound, orderClosed, orderNotParked, orderHeld, registryUnreachable]
const force = (description: string) => withDefault(Type.Boolean({ description }), false)

export const settleParkedOrder = operation({
  name: 'settle_parked_order',
  does: 'Settle a parked order: the customer pays, and holds the domain as the registry shows it.',
  more: 'The registry is asked first, and must show the domain as ours.',
  at: 'POST /v1/internal/parked-orders/{id}/settle',
  area: 'Domains',
  who: operatorOnly(),
  takes: Type.Object({
    id: orderId,
    force: force('Also when it does not show what was bought, or the order is not parked.'),
  }),
  gives: parkedOrder,
  fails: [...common, orderNotOurs, orderNotAsBought, orderWithoutHolding],
  effect: 'own',
  target: ({ id }) => ({ target_type: 'order', target: id }),
  run: ({ id, force }, call, app) =>
    decide(app, call, {
      id,
      force,
      noted: { decision: 'settle_parked_order', force },
      async roundOf(order, { facts, found }) {
        if (facts.state === 'silent') throw silent(facts.detail)
        if (!found || facts.state !== 'ours')
          throw orderNotOurs({ facts: { registry_shows: facts } })
        if (!facts.as_bought && !force) throw orderNotAsBought({ facts: { registry_shows: facts } })
        await requireHolding(app, order, { found, as_bought: facts.as_bought })
        const purchased = { expires_at: found.expires_at, created_at: found.created_at }
        const verified = { app, handler: handlerOf(order.type), order }
        return { result: 'succeeded', holding: holdingAfter(verified, { purchased, found }) }
      },
    }),
})

export const releaseParkedOrder = operation({
  name: 'release_parked_order',
  does: 'Release a parked order: its held money becomes available again.',
  more:
    'A transfer is canceled at the registry first. Without its answer, nothing is released, not ' +
    'even by force.',
  at: 'POST /v1/internal/parked-orders/{id}/release',
  area: 'Domains',
  who: operatorOnly(),
  takes: Type.Object({
    id: orderId,
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      description: "The reason; the customer reads it as the operation's error.",
    }),
    force: force(
      'Also when the registry shows what was bought, or no holder (silent), or the order is not ' +
        'parked.',
    ),
  }),
  gives: parkedOrder,
  fails: [...common, orderAsBought],
  effect: 'own',
  target: ({ id }) => ({ target_type: 'order', target: id }),
  run: ({ id, reason, force }, call, app) => {
    const reading = new FieldReader()
    const detail = reading.line('reason', reason)
    reading.finish()
    return decide(app, call, {
      id,
      force,
      noted: { decision: 'release_parked_order', force, reason: detail },
      async roundOf(order, { facts }) {
        if (facts.state === 'silent' && !force) throw silent(facts.detail)
        if (facts.billed && !force) throw orderAsBought({ facts: { registry_shows: facts } })
        if (order.type === 'transfer')
          await callBack(app, { order, force, permit: () => call.assertStillAllowed() })
        return { result: 'failed', code: 'released_by_operator', detail }
      },
    })
  },
})

type CallingBack = { order: Taken; force: boolean; permit: () => Promise<unknown> }

/**
 * A transfer that continues would be billed, and its domain would belong to no customer. Canceling
 * a transfer that is over is refused: it may have been approved a moment ago, so it is read again.
 */
async function callBack(app: App, { order, force, permit }: CallingBack) {
  const { id, registry: name, domain, attempts } = order
  const registry = app.registries.byName.get(name)
  const called = await registry?.transferCancel(domain, {
    cl_trid: newAttempt(id, attempts).cl_trid,
    priority: 'normal',
    permit,
    at: (step) => app.reached?.(step),
  })
  if (called?.kind === 'unknown') throw silent(called.message)
  if (called?.kind !== 'refused' || force) return
  const { facts } = await readRegistryState(app, order)
  if (facts.state === 'silent') throw silent(facts.detail)
  if (facts.billed) throw orderAsBought({ facts: { registry_shows: facts } })
  const { status, requested_by } = { ...facts.transfer }
  if (status === 'pending' && requested_by === registry?.profile.client_id)
    throw orderAsBought({
      detail: `The transfer is in progress, and was not cancelled: ${called.message}`,
      facts: { registry_shows: facts },
    })
}

type Taken = Omit<Order, 'type' | 'fingerprints'> & OpenOrder

type OperatorDecision = {
  id: OrderId
  force: boolean
  /** The details of the order's last audit row, besides the actor. */
  noted: Record<string, unknown>
  roundOf: (order: Taken, shown: Shown) => Promise<Parameters<typeof closeOrder>[1]>
}

/** Longer than a reading, a cancellation and the end of an order usually take together. */
const lease_ms = 60_000

async function decide(app: App, call: Call, { id, force, noted, roundOf }: OperatorDecision) {
  const token = randomUUID()
  const taken = await app.db.maybe(takeParked, { id, lease_token: token, lease_ms })
  if (!taken) throw await whyNot(app, id)
  const order: Taken = {
    ...taken,
    type: wordOf(orderTypes, taken.type),
    fingerprints: [...taken.fingerprints],
    lease_token: token,
    send_by_ms: 0,
  }
  try {
    if (taken.state !== 'parked' && !force) throw orderNotParked({ facts: { state: taken.state } })
    const shown = await readRegistryState(app, taken)
    const round = await roundOf(order, shown)
    await call.assertStillAllowed()
    const auditRow = (facts: AuditFacts) =>
      call.auditRow({ ...facts, metadata: { ...facts.metadata, ...noted } })
    const closing = { app, call: { ...call, auditRow }, handler: handlerOf(order.type), order }
    const ended = await closeOrder({ ...closing, pendingRequest: null }, round)
    const after = await app.db.one(anyOrderById, { id })
    if (ended.result === 'overtaken') throw orderClosed({ facts: { state: after.state } })
    return parkedOrderOf(after, shown)
  } finally {
    // It has no effect once the order has ended; if it is lost, the lease ends by its time.
    await app.db.count(giveBackOrder, { id, lease_token: token }).catch((error) => {
      app.log.warn({ err: error, order: id }, 'lease of an order not released')
    })
  }
}

async function whyNot(app: App, id: OrderId) {
  const order = await app.db.maybe(anyOrderById, { id })
  if (!order) return orderNotFound()
  const facts = { state: order.state }
  if (order.closed_at)
    return orderClosed({ detail: `The order has already ended: ${order.state}.`, facts })
  if (order.held) return orderHeld({ facts, retry_after_s: lease_ms / 1_000 })
  return orderNotParked({ facts })
}

const silent = (detail: string | null) =>
  registryUnreachable({
    detail: `The registry gave no usable answer; the order is unchanged. ${detail ?? ''}`.trim(),
    retry_after_s: 10,
  })

/**
 * The holding that the end changes must be this customer's. A holding that it makes must be no
 * customer's, or replace one that is older than the domain at the registry (which then ends).
 */
async function requireHolding(
  app: App,
  order: OpenOrder,
  { found, as_bought }: { found: RegistryDomain; as_bought: boolean },
): Promise<void> {
  const holder = await app.db.maybe(holderOfName, { name: order.domain })
  const makes = handlerOf(order.type).acquires
  const since = order.type === 'register' ? found.created_at : found.transferred_at
  // The purchase of a concurrent order belongs to its buyer.
  const purchased = order.type === 'register' && (await isHeldSince(app, found))
  const fits = makes
    ? !holder || (isSinceOrder(since, order, as_bought) && !purchased)
    : holder?.customer_id === order.customer_id
  if (!fits) throw orderWithoutHolding({ facts: { held_by: holder?.customer_id ?? null } })
}

/** If the registry shows no trDate, its record of the transfer decides (`as_bought`). */
function isSinceOrder(since: string | null, order: OpenOrder, as_bought: boolean): boolean {
  return since === null ? as_bought : isOfThisOrder(since, order)
}
