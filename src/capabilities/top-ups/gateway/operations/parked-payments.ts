// Lists parked payments for operators, and credits or dismisses one.

import Type, { type Static } from 'typebox'
import { formatUnits } from '../../../../adapters/gateway/decimal-units.ts'
import { type App, type Call, operation, operatorOnly } from '../../../../app.ts'
import { fault } from '../../../../kit/fault.ts'
import { currencies, formatAmount } from '../../../../kit/money.ts'
import type { CheckoutId, CustomerId } from '../../../../kit/random.ts'
import { amount, dateTime, nullable, oneOf, stringOf, wordOf } from '../../../../kit/schema.ts'
import { byText } from '../../../../lists/cursor.ts'
import { workList } from '../../../../lists/work-list.ts'
import { assetAmount } from '../checkout.ts'
import { checkoutOfPayment, parkedPayments } from '../checkout-payments.sql.ts'
import { type CheckoutPayment, paymentOf } from '../checkout-rows.ts'
import { checkoutById } from '../checkouts.sql.ts'
import { type Decision, decideParked } from '../settling/decide-parked.ts'
import { parkedReasons, treatments } from '../settling/next-step.ts'

const paymentNotParked = fault('payment_not_parked', 'conflict', {
  sentence: 'This payment is not waiting for an operator, or was decided differently.',
  hint: 'Read the list of parked payments; nothing was changed.',
})
const parkedPaymentUnknown = fault('parked_payment_not_found', 'absent', {
  sentence: 'There is no payment with this id.',
  hint: 'Take the id from the list of parked payments, percent-encoded in the path.',
})

const parked = Type.Object(
  {
    id: Type.String({ description: 'The id of the payment.' }),
    checkout_id: stringOf<CheckoutId>(),
    customer_id: stringOf<CustomerId>(),
    currency: oneOf(currencies),
    asset: Type.String(),
    network: Type.String(),
    amount: nullable(assetAmount('The amount in the asset, or null if its decimals are unknown.')),
    transaction_id: Type.String(),
    state: oneOf(['seen', 'confirmed', 'orphaned']),
    treatment: oneOf(treatments),
    reason: nullable(oneOf(parkedReasons)),
    credited_amount: amount(
      'The amount that was credited for it, before it was parked or by the decision.',
    ),
    at: dateTime('When it came.'),
  },
  { title: 'ParkedPayment' },
)

export const listParkedPayments = workList({
  name: 'list_parked_payments',
  does: 'List the payments that wait for an operator.',
  at: 'GET /v1/internal/billing/parked-payments',
  area: 'Billing',
  entries: 'payments',
  entry: parked,
  title: 'ParkedPaymentsResponse',
  by: byText,
  read: ({ after, most }, { sql }) =>
    sql.run(parkedPayments, { after: after ?? '', limit: BigInt(most) }),
  keyOf: ({ id }) => id,
  present: (rows) => rows.map((row) => present(paymentOf(row), row)),
})

type Owner = { customer_id: CustomerId; currency: string }

function present(
  payment: CheckoutPayment,
  { customer_id, currency }: Owner,
): Static<typeof parked> {
  const { id, checkout_id, asset, network, decimals, transaction_id, state } = payment
  const { treatment, reason, credited, taken, at } = payment
  return {
    id,
    checkout_id,
    customer_id,
    currency: wordOf(currencies, currency),
    asset,
    network,
    amount: decimals === null ? null : formatUnits(payment.amount, decimals),
    transaction_id,
    state,
    treatment,
    reason,
    credited_amount: formatAmount(credited - taken),
    at: at.toISOString(),
  }
}

const paymentId = Type.String({ minLength: 1, maxLength: 300, description: 'The payment.' })
const why = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The reason, for the audit log.',
})

export const creditParkedPayment = operation({
  name: 'credit_parked_payment',
  does: 'Credit a parked payment with the amount that an operator decides.',
  more: 'A repeated call returns the same response. The customer gets an invoice.',
  at: 'POST /v1/internal/billing/parked-payments/{payment_id}/credit',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object({
    payment_id: paymentId,
    amount_cents: Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'The amount, in minor units.',
    }),
    reason: why,
  }),
  gives: parked,
  fails: [paymentNotParked, parkedPaymentUnknown],
  effect: 'transaction',
  target: ({ payment_id, amount_cents, reason }, output) => ({
    ...targetOf(payment_id, output),
    metadata: { amount_cents, reason },
  }),
  run: ({ payment_id, amount_cents }, call, app) =>
    decide(app, call, { id: payment_id, cents: BigInt(amount_cents) }),
})

export const dismissParkedPayment = operation({
  name: 'dismiss_parked_payment',
  does: 'Dismiss a parked payment: it is never credited, for example because it was refunded.',
  more: 'A repeated call returns the same response.',
  at: 'POST /v1/internal/billing/parked-payments/{payment_id}/dismiss',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object({ payment_id: paymentId, reason: why }),
  gives: parked,
  fails: [paymentNotParked, parkedPaymentUnknown],
  effect: 'transaction',
  target: ({ payment_id, reason }, output) => ({
    ...targetOf(payment_id, output),
    metadata: { reason },
  }),
  run: ({ payment_id }, call, app) => decide(app, call, { id: payment_id, cents: null }),
})

const targetOf = (target: string, output: Static<typeof parked> | undefined) => ({
  target_type: 'payment',
  target,
  ...(output ? { customer_id: output.customer_id } : {}),
})

async function decide(app: App, call: Call, decision: Decision): Promise<Static<typeof parked>> {
  const found = await call.sql.maybe(checkoutOfPayment, { id: decision.id })
  if (!found) throw parkedPaymentUnknown()
  const context = { seller: app.settings, at: app.clock.now() }
  const decided = await decideParked(call.sql, { ...found, decision }, context)
  if (!decided) throw paymentNotParked()
  return present(decided, await call.sql.one(checkoutById, { id: found.checkout_id }))
}
