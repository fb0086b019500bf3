// Recovery of orders that a crash or a silent registry left open: sends the same fenced command
// again, or reads its result.

import { randomUUID } from 'node:crypto'
import type { Registry } from '../../../adapters/registry/port.ts'
import { type App, type Call, job } from '../../../app.ts'
import { wordOf } from '../../../kit/schema.ts'
import { tracedAsRoot } from '../../../kit/telemetry.ts'
import { byRegistry, type Compartment } from '../per-registry.ts'
import { leaseMs, sendBy } from '../registry-lease.ts'
import { newAttempt } from './attempt.ts'
import type { Execution } from './handlers/order-handler.ts'
import { handlerOf } from './handlers/order-handlers.ts'
import { alarmAfterMs, type Order, orderTypes } from './order.ts'
import { answeredCodes, certainlyUndone } from './order-steps.ts'
import { beginAttempt, claimDueOrders, registriesOfDueOrders, setAlarm } from './orders.sql.ts'
import { executeOrder } from './purchase.ts'
import { unverified } from './reconcile/reconcile.ts'

const pace = { at_once: 16, every_ms: 500, registries: registriesOfDueOrders }
/** The lease of an order that can only be shown to operators. */
const unknown_registry_lease_ms = 10_000

export const settleOrders = job({
  name: 'settle_orders',
  does: 'Completes paid orders whose outcome is not known yet.',
  every_ms: pace.every_ms,
  // Each order has a lease of its own, as one for the job would cost two writes a round.
  per_node: true,
  run: (app, call) => byRegistry(app, pace, (compartment) => settleDue(app, call, compartment)),
})

async function settleDue(
  app: App,
  call: Call,
  { registry, name, limit }: Compartment,
): Promise<number> {
  const token = randomUUID()
  const claimed_ms = app.monotonic_ms()
  const lease_ms = registry === null ? unknown_registry_lease_ms : leaseMs(registry)
  const due = await app.db.run(claimDueOrders, {
    limit,
    lease_ms,
    lease_token: token,
    registry: name,
  })
  await Promise.all(
    due.map((order) =>
      tracedOrder(app, order, () => resumeOrder(app, call, { order, token, claimed_ms })).catch(
        (error) => raiseAlarm(app, { order, token, error }),
      ),
    ),
  )
  return due.length
}

/** A trace of its own, with a link to the purchase's. */
function tracedOrder<T>({ tracer }: App, order: Order, run: () => Promise<T>): Promise<T> {
  const { id, registry, attempts, traceparent } = order
  const attributes = {
    'agent_registrar.order': id,
    agent_registry: registry,
    'agent_registrar.attempt': attempts,
  }
  const links = traceparent === null ? [] : [traceparent]
  return tracedAsRoot(
    tracer,
    () => ({ name: 'settle order', kind: 'consumer', attributes, links }),
    run,
  )
}

type Thrown = { order: Order; token: string; error: unknown }

/**
 * The order stays open and leased, and the next claim continues from its rows. An old order is
 * shown to operators until a round of it comes to an end.
 */
async function raiseAlarm(app: App, { order, token, error }: Thrown): Promise<void> {
  const { id, domain, created_at } = order
  const why = error instanceof Error ? error.message : String(error)
  const late = app.clock.now().getTime() - created_at.getTime() > alarmAfterMs
  const alarm = late ? `not_settled: ${why}` : null
  const raised = alarm === null ? {} : { detail: alarm, alarm: 'order_needs_operator' }
  app.log.error({ err: error, order: id, domain, ...raised }, 'order not settled')
  if (!alarm) return
  await app.db.count(setAlarm, { id, lease_token: token, alarm }).catch((failure) => {
    app.log.error({ err: failure, order: id }, 'alarm of an order not written')
  })
}

type Claimed = { order: Order; token: string; claimed_ms: number }

/** One round of an order that this process holds by `token`. */
async function resumeOrder(
  app: App,
  call: Call,
  { order, token, claimed_ms }: Claimed,
): Promise<void> {
  const registry = app.registries.byName.get(order.registry)
  if (!registry) throw new Error(`Registry ${order.registry} is not in the registries file`)
  const mode = recoveryOf(order, registry, app.calendar.now())
  const attempt = newAttempt(order.id, order.attempts)
  const sends = mode === 'send' || mode === 'read_first'
  const begun = sends
    ? await app.db.maybe(beginAttempt, {
        id: order.id,
        lease_token: token,
        fingerprint: attempt.fingerprint,
        answered_codes: answeredCodes,
      })
    : order
  if (!begun) return
  app.reached?.('recovering')
  const fingerprints = sends ? [...order.fingerprints, attempt.fingerprint] : order.fingerprints
  await executeOrder({
    app,
    call,
    handler: handlerOf(order.type),
    registry,
    order: {
      ...order,
      type: wordOf(orderTypes, order.type),
      fingerprints: [...fingerprints],
      unanswered_at: begun.unanswered_at,
      lease_token: token,
      send_by_ms: sendBy(registry, claimed_ms),
    },
    attempt,
    mode,
    // The first answer to an Idempotency-Key is made from the rows when it is asked for again.
    pendingRequest: null,
  })
}

function recoveryOf(order: Order, registry: Registry, now: Date): Execution['mode'] {
  if (order.state === 'accepted') return order.error_code === unverified ? 'verify' : 'read'
  const age = now.getTime() - order.first_sent_at.getTime()
  const { type, resends_for_ms } = handlerOf(order.type)
  if (resends_for_ms !== null && age > resends_for_ms) return 'never_again'
  const how = registry.resends[type]
  if (how === 'fenced' || certainlyUndone(order.error_code)) return 'send'
  return how === 'after_read' ? 'read_first' : 'never_again'
}
