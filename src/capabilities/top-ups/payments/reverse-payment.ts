// An operator takes a payment back by hand, after a refund that was made outside of the API of its
// means of payment.

import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { fault } from '../../../kit/fault.ts'
import type { CustomerId, PaymentId } from '../../../kit/random.ts'
import { oneOf, patterned, stringOf } from '../../../kit/schema.ts'
import { PaymentConflict } from './credit.ts'
import { ReversalExceedsPayment, reversalKinds, reverseOnce } from './reverse.ts'

const paymentUnknown = fault('payment_not_found', 'absent', {
  sentence: 'No payment with this id was credited.',
  hint: 'Take the id from the list of payments, as it is written there.',
})
const reversalConflict = fault('reversal_conflict', 'conflict', {
  sentence: 'This reversal was already posted with different details.',
  hint: 'Compare payment, kind and amount, or choose another reversal_id; nothing was posted now.',
})
const reversalTooLarge = fault('reversal_exceeds_payment', 'conflict', {
  sentence: 'This is more than the rest of the payment, or than the amount that was taken back.',
  hint: 'Read the reversals of the payment and choose a smaller amount; nothing was posted.',
})

export const reversePaymentByOperator = operation({
  name: 'reverse_payment',
  does: 'Reverse a credited payment, in whole or in part, or reinstate it.',
  more:
    'The available balance pays it; the rest is owed, and later credits pay that first. The ' +
    'customer gets a credit note, or an invoice for a reinstatement. The same reversal_id again ' +
    'posts nothing.',
  at: 'POST /v1/internal/billing/reversals',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object({
    payment_id: stringOf<PaymentId>({ minLength: 1, maxLength: 300, description: 'The payment.' }),
    reversal_id: patterned('^[A-Za-z0-9._-]+$', 'letters, digits and any of "._-"', {
      minLength: 1,
      maxLength: 100,
      description: 'Your own id for it, so that a repeated call posts it only once.',
    }),
    kind: oneOf(reversalKinds),
    amount_cents: Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'The amount, in minor units.',
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "The reason, which is shown on the customer's statement and the document.",
    }),
  }),
  gives: Type.Object(
    {
      customer_id: stringOf<CustomerId>(),
      payment_id: stringOf<PaymentId>(),
      reversal_id: Type.String(),
      posted: Type.Boolean({
        description: 'False if it was already posted, with the same details.',
      }),
    },
    { title: 'PaymentReversalResponse' },
  ),
  fails: [paymentUnknown, reversalConflict, reversalTooLarge],
  effect: 'transaction',
  target: ({ payment_id, kind, amount_cents, reason }, output) => ({
    target_type: 'payment',
    target: payment_id,
    ...(output ? { customer_id: output.customer_id } : {}),
    metadata: { kind, amount_cents, reason, ...(output?.posted === false && { repeated: true }) },
  }),
  async run({ payment_id, reversal_id, kind, amount_cents, reason }, call, app) {
    const reversal = {
      id: `operator/${reversal_id}`,
      payment_id,
      kind,
      amount: BigInt(amount_cents),
      description: reason,
    }
    const context = { seller: app.settings, at: app.clock.now() }
    try {
      const done = await reverseOnce(call.sql, reversal, context)
      if (!done) throw paymentUnknown()
      return { customer_id: done.customer_id, payment_id, reversal_id, posted: done.posted }
    } catch (error) {
      if (error instanceof PaymentConflict) throw reversalConflict()
      throw error instanceof ReversalExceedsPayment ? reversalTooLarge() : error
    }
  },
})
