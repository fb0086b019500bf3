// The kinds of tasks of card payments: one reads a session until it ends, another reads refunds and
// disputes after it was paid. They make up for lost webhooks.

import Type from 'typebox'
import type { CheckoutId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { taskKind } from '../../../tasks/index.ts'

const backoff = { first_ms: 5_000, longest_ms: 300_000 }

/** The task is enqueued with the checkout, and its key is the checkout's id. */
export const readCardCheckout = taskKind({
  kind: 'read_card_checkout',
  payload: Type.Object({ checkout_id: stringOf<CheckoutId>() }),
  backoff,
  most_attempts: null,
})

/** The task is enqueued with the credit, and its key is the payment's id. */
export const readCardReversals = taskKind({
  kind: 'read_card_reversals',
  payload: Type.Object({ payment_intent: Type.String() }),
  backoff,
  most_attempts: null,
})
