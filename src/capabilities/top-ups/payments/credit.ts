// Credits a payment of any rail exactly once: its paid invoice, and the transfer that names it, in
// the caller's transaction.

import type { Sql } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import type { Currency } from '../../../kit/money.ts'
import type { CheckoutId, CustomerId, PaymentId } from '../../../kit/random.ts'
import type { publicUrls } from '../../../origins.ts'
import { issueForPayment, type Seller } from '../../invoices/index.ts'
import { creditPayment, knownPayments, lockPayment } from './payments.sql.ts'

type Payment = {
  /** The id at its means of payment, permanently unique (decision 52). */
  id: PaymentId
  customer_id: CustomerId
  currency: Currency
  /** The amount in minor units, above zero. */
  amount: bigint
  /** Our account that it came in to. */
  account: 'processor' | 'gateway'
  description: string
  checkout_id: CheckoutId | null
  processor_checkout_session_id: string | null
  processor_payment_intent_id: string | null
}

export type DocumentContext = { seller: Seller & Parameters<typeof publicUrls>[0]; at: Date }
type CreditedPayment = Row<'payments_credit'>

/**
 * It was credited before with another customer, amount, currency, session or intent. Nothing is
 * credited now.
 */
export class PaymentConflict extends Error {
  override name = 'PaymentConflict'
}

/**
 * `credited` is false if it was credited before, with the same facts. Lock order: the payment, the
 * invoice's number, the balance.
 */
export async function creditOnce(
  sql: Sql,
  payment: Payment,
  { seller, at }: DocumentContext,
): Promise<{ credited: boolean; payment: CreditedPayment }> {
  const { id, processor_payment_intent_id: intent } = payment
  const keys = intent === null ? [id] : [id, `intent:${intent}`]
  await sql.run(lockPayment, { keys })
  const { processor_checkout_session_id } = payment
  const ids = { id, processor_checkout_session_id, processor_payment_intent_id: intent }
  const earlier = await sql.run(knownPayments, ids)
  const [known] = earlier
  if (known) {
    if (earlier.length > 1 || !isSame(known, payment)) throw new PaymentConflict(id)
    return { credited: false, payment: known }
  }
  const { customer_id, currency, amount, description } = payment
  const document = {
    customer_id,
    currency,
    amount,
    description,
    at,
    payment_id: id,
    ...(processor_checkout_session_id === null ? {} : { processor_checkout_session_id }),
    ...(intent === null ? {} : { processor_payment_intent_id: intent }),
  }
  const invoice_id = await issueForPayment(sql, document, seller)
  return { credited: true, payment: await sql.one(creditPayment, { ...payment, invoice_id }) }
}

/** An intent that was unknown when it was credited, or is left out now, is not a different fact. */
function isSame(known: CreditedPayment, payment: Payment): boolean {
  const intent = payment.processor_payment_intent_id
  return (
    known.id === payment.id &&
    known.customer_id === payment.customer_id &&
    known.currency === payment.currency &&
    known.amount === payment.amount &&
    (intent === null || known.processor_payment_intent_id === intent)
  )
}
