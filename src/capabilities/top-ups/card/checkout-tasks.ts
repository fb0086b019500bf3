// The kinds of tasks of card payments: to read a session until it ends, and refunds and disputes
// after it was paid. A lost webhook is made good by them.
import Type from 'typebox'
import { taskKind } from '../../../tasks/index.ts'

const backoff = { first_ms: 5_000, longest_ms: 300_000 }

/** Enqueued with the checkout, by its id. */
export const readCardCheckout = taskKind({
  kind: 'read_card_checkout',
  payload: Type.Object({ checkout_id: Type.String() }),
  backoff,
  most_attempts: null,
})

/** Enqueued with the credit, by the payment's id. */
export const readCardReversals = taskKind({
  kind: 'read_card_reversals',
  payload: Type.Object({ payment_intent: Type.String() }),
  backoff,
  most_attempts: null,
})
