// Credits a payment: its paid invoice, and the transfer that names it, in one transaction.
import type { Sql } from '../../db/database.ts'
import type { Currency } from '../../kit/money.ts'
import { issueForPayment, type Seller } from '../invoices/index.ts'
import { creditCardPayment } from './top-ups.sql.ts'

type Payment = {
  customer_id: string
  currency: Currency
  amount: bigint
  description: string
  processor_checkout_session_id: string
  processor_payment_intent_id: string | null
}

export type CreditContext = { seller: Seller; at: Date }

/** The invoice comes first: its number is locked before the balance. */
export async function credit(sql: Sql, payment: Payment, from: CreditContext) {
  const { seller, at } = from
  const payment_id = `processor/${payment.processor_checkout_session_id}`
  const invoice_id = await issueForPayment(sql, { ...payment, payment_id, at }, seller)
  return await sql.one(creditCardPayment, { ...payment, invoice_id })
}
