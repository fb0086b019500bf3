// An operator's decision about a parked payment: a credit, or none. It is taken once.

import type { Sql } from '../../../../db/database.ts'
import type { CheckoutId, PaymentId } from '../../../../kit/random.ts'
import type { DocumentContext } from '../../payments/credit.ts'
import { paymentsOfCheckouts, storeTreatment } from '../checkout-payments.sql.ts'
import { type CheckoutPayment, paymentOf, topUpOf } from '../checkout-rows.ts'
import { lockTopUp, storeStatus } from '../checkouts.sql.ts'
import { creditCheckout } from './credit-checkout.ts'
import { statusOf } from './next-step.ts'

/** `cents` is null if nothing is credited. */
export type Decision = { id: PaymentId; cents: bigint | null }
type Deciding = { checkout_id: CheckoutId; decision: Decision }

/**
 * Returns the payment after the decision, also if it was decided in the same way before. Undefined
 * if it is not parked, was decided differently, or is credited already. Lock order: the checkout,
 * the payment, the number.
 */
export async function decideParked(
  sql: Sql,
  { checkout_id, decision: { id, cents } }: Deciding,
  context: DocumentContext,
): Promise<CheckoutPayment | undefined> {
  const checkout = topUpOf(await sql.one(lockTopUp, { id: checkout_id }))
  const read = async () =>
    (await sql.run(paymentsOfCheckouts, { checkout_ids: [checkout_id] })).map(paymentOf)
  const payment = (await read()).find((one) => one.id === id)
  if (!payment || isOther(payment, cents)) return undefined
  if (payment.treatment !== 'parked') return payment
  if (cents !== null) {
    const outcome = await creditCheckout(sql, { checkout, payment, cents }, context)
    if (outcome !== 'credited') return undefined
  }
  await sql.run(storeTreatment, {
    id,
    treatment: cents === null && payment.credited === 0n ? 'dismissed' : 'credited',
    reason: payment.reason,
    credited: cents ?? payment.credited,
    taken: payment.taken,
    quoted_amount: String(payment.quoted_amount),
    reversals: payment.reversals,
    watched_until: new Date(context.at.getTime() + 86_400_000),
  })
  const after = await read()
  const status = statusOf(checkout, after, context.at)
  // The reorganization of a payment that was parked after its credit is settled now.
  await sql.run(storeStatus, { id: checkout_id, status, settle_at: context.at })
  return after.find((one) => one.id === id)
}

/**
 * Whether it is neither parked nor decided in the same way, or is to be credited although it is
 * gone or was credited before.
 */
function isOther({ treatment, reason, credited, state }: CheckoutPayment, cents: bigint | null) {
  if (treatment === 'parked') return cents !== null && (credited > 0n || state !== 'confirmed')
  if (reason === null) return true
  return cents === null ? treatment !== 'dismissed' : credited !== cents
}
