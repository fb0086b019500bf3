// Credits a payment of a checkout with the value that a rule or an operator gave it.
import type { Sql } from '../../../../db/database.ts'
import { creditOnce, type DocumentContext, PaymentConflict } from '../../payments/credit.ts'
import type { Checkout, CheckoutPayment } from '../checkout-rows.ts'

type Credit = { checkout: Checkout; payment: CheckoutPayment; cents: bigint }

/**
 * `before`: it was credited in the same way before. `elsewhere`: another checkout or another means
 * of payment has it, and nothing has changed.
 */
export async function creditCheckout(
  sql: Sql,
  { checkout, payment, cents }: Credit,
  context: DocumentContext,
): Promise<'credited' | 'before' | 'elsewhere'> {
  const paid = {
    id: payment.id,
    customer_id: checkout.customer_id,
    currency: checkout.currency,
    amount: cents,
    account: 'gateway' as const,
    description: `Top-up in ${payment.asset}`,
    checkout_id: checkout.id,
    processor_checkout_session_id: null,
    processor_payment_intent_id: null,
  }
  try {
    return (await creditOnce(sql, paid, context)).credited ? 'credited' : 'before'
  } catch (error) {
    // It is thrown before anything changed.
    if (error instanceof PaymentConflict) return 'elsewhere'
    throw error
  }
}
