// Reads sessions until they end, and refunds and disputes for months after: webhooks may be lost,
// or none is registered.

import { ProcessorUnavailable } from '../../../adapters/processor/port.ts'
import { type App, type Call, job } from '../../../app.ts'
import { withJitter } from '../../../kit/concurrency/backoff.ts'
import type { CheckoutId } from '../../../kit/random.ts'
import { done, type TaskEnd, workTasks } from '../../../tasks/index.ts'
import { type CheckoutRow, checkoutOfId, moveCheckout } from './card.sql.ts'
import { readReversals } from './card-reversals.ts'
import { readCardCheckout, readCardReversals } from './checkout-tasks.ts'
import { readSession } from './read-session.ts'

/**
 * Each takes at most two requests, which is far below the number that the processor allows in a
 * second.
 */
const at_once = 5
/** A session ends by the processor's clock. */
const margin_ms = 5_000
const debit_again_ms = 3_600_000
/** Disputes are raised within about four months. */
const watched_ms = 180 * 86_400_000

export const readCardCheckouts = job({
  name: 'read_card_checkouts',
  does: 'Reads sessions of the card processor until they are paid or have ended.',
  every_ms: 5_000,
  per_node: true,
  task_kind: readCardCheckout.kind,
  run: (app, call) =>
    work(app, () =>
      workTasks(app, readCardCheckout, {
        limit: at_once,
        handle: ({ payload }) => settled(app, () => readOne(app, call, payload.checkout_id)),
      }),
    ),
})

export const readCardRefunds = job({
  name: 'read_card_refunds',
  does: 'Reads refunds and disputes of the payments by card of the last 180 days.',
  every_ms: 5_000,
  per_node: true,
  task_kind: readCardReversals.kind,
  run: (app, call) =>
    work(app, () =>
      workTasks(app, readCardReversals, {
        limit: at_once,
        handle: ({ payload }) => settled(app, () => watch(app, call, payload.payment_intent)),
      }),
    ),
})

async function work({ processor }: App, round: () => Promise<number>): Promise<{ more: boolean }> {
  return { more: processor !== null && (await round()) === at_once }
}

/**
 * A processor that cannot be read is no failure of the task, which is tried again at growing
 * pauses.
 */
async function settled({ log }: App, attempt: () => Promise<TaskEnd>): Promise<TaskEnd> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof ProcessorUnavailable)) throw error
    log.warn({ err: error }, 'card payment not read')
    return { end: 'retry', reason: error.message }
  }
}

async function readOne(app: App, call: Call, id: CheckoutId): Promise<TaskEnd> {
  const row = await app.db.maybe(checkoutOfId, { id })
  if (!row) return done
  if (row.session_id === null) return opening(app, row)
  await readSession({ app, call }, row)
  const now = await app.db.one(checkoutOfId, { id })
  if (now.status !== 'open' && now.status !== 'processing') return done
  const in_ms = now.status === 'open' ? nextReadingMs(app, row) : debit_again_ms
  return { end: 'retry', reason: `It is ${now.status}`, in_ms, uncounted: true }
}

/**
 * It is read often at first, when it is most likely to be paid, and once when its time has ended.
 */
function nextReadingMs({ clock, settings }: App, { created_at, expires_at }: CheckoutRow): number {
  const now_ms = clock.now().getTime()
  const least_ms = settings.card_checkout_read_seconds * 1_000
  const usual_ms = Math.max(least_ms, Math.round((now_ms - created_at.getTime()) / 4))
  const left_ms = expires_at.getTime() + margin_ms - now_ms
  return left_ms > 0 ? Math.min(usual_ms, left_ms) : usual_ms
}

/** The page of a checkout without a session was never given to a customer. */
async function opening(app: App, { id, expires_at }: CheckoutRow): Promise<TaskEnd> {
  const left_ms = expires_at.getTime() + margin_ms - app.clock.now().getTime()
  if (left_ms > 0) return { end: 'retry', reason: 'It is opening', in_ms: left_ms, uncounted: true }
  const failed = { id, status: 'failed', from: ['opening'], parked_reason: null, payment_id: null }
  await app.db.count(moveCheckout, failed)
  return done
}

async function watch(app: App, call: Call, payment_intent: string): Promise<TaskEnd> {
  const paid = await readReversals({ app, call }, payment_intent)
  const age_ms = paid ? app.clock.now().getTime() - paid.created_at.getTime() : watched_ms
  if (age_ms >= watched_ms) return done
  // The pause is up to a tenth shorter, so that the payments of one hour spread over the day.
  const every_ms = app.settings.card_refund_read_hours * 3_600_000
  const in_ms = Math.round(withJitter(every_ms, { share: 0.1, chance: app.chance }))
  return { end: 'retry', reason: 'It is watched for refunds', in_ms, uncounted: true }
}
