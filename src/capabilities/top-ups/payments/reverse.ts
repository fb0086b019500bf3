// Takes a credited payment back, in whole or in part, or reinstates it, each exactly once: its
// document and its transfers, in the caller's transaction. Money that is spent already becomes a
// receivable (decision 52).

import type { Sql } from '../../../db/database.ts'
import { currencies } from '../../../kit/money.ts'
import type { CustomerId, PaymentId } from '../../../kit/random.ts'
import { wordOf } from '../../../kit/schema.ts'
import { publicUrls } from '../../../origins.ts'
import { creditNoteFor, issueForPayment } from '../../invoices/index.ts'
import { customerMail } from '../../mail/index.ts'
import { type DocumentContext, PaymentConflict } from './credit.ts'
import { lockPayment, paymentWithReversals, reversalOfId, reversePayment } from './payments.sql.ts'
import { reversalEmail } from './reversal-email.ts'

export const reversalKinds = ['refund', 'dispute', 'reorganisation', 'reinstatement'] as const

type Reversal = {
  /** The id is permanently unique among all payments and reversals. */
  id: PaymentId
  payment_id: PaymentId
  kind: (typeof reversalKinds)[number]
  /** The amount in minor units, above zero. */
  amount: bigint
  description: string
}

/**
 * The amount is more than the rest of the payment, or more would be reinstated than was reversed.
 * Nothing was posted.
 */
export class ReversalExceedsPayment extends Error {
  override name = 'ReversalExceedsPayment'
}

/**
 * `posted` is false if it was posted before, with the same facts; with others it throws
 * PaymentConflict. Undefined if there is no such payment. Lock order: the payment, the document's
 * number, the balance.
 */
export async function reverseOnce(
  sql: Sql,
  reversal: Reversal,
  { seller, at }: DocumentContext,
): Promise<{ customer_id: CustomerId; posted: boolean } | undefined> {
  const { id, payment_id, kind, amount, description } = reversal
  await sql.run(lockPayment, { keys: [payment_id] })
  const paid = await sql.maybe(paymentWithReversals, { id: payment_id })
  if (!paid) return undefined
  const { customer_id } = paid
  const earlier = await sql.maybe(reversalOfId, { id })
  if (earlier) {
    const { payment_id: of } = earlier
    if (of === payment_id && earlier.kind === kind && earlier.amount === amount)
      return { customer_id, posted: false }
    throw new PaymentConflict(id)
  }
  const gives = kind === 'reinstatement'
  const rest = gives ? paid.reversed : paid.amount - paid.reversed
  if (amount > rest) throw new ReversalExceedsPayment(id)
  const currency = wordOf(currencies, paid.currency)
  const document = { customer_id, currency, amount, description, at, payment_id: id }
  const invoice_id = gives
    ? await issueForPayment(sql, document, seller)
    : await creditNoteFor(sql, { ...document, credited_payment_id: payment_id }, seller)
  const { posted } = await sql.one(reversePayment, { ...reversal, invoice_id })
  const { shortfall } = await sql.one(reversalOfId, { id })
  const { dashboard_url } = publicUrls(seller)
  const email = reversalEmail({ ...reversal, currency, shortfall }, dashboard_url)
  await customerMail(sql, customer_id, email)
  return { customer_id, posted }
}

/** The rest of a payment after its reversals; locked until the transaction ends. */
export async function leftOf(sql: Sql, payment_id: PaymentId): Promise<bigint> {
  await sql.run(lockPayment, { keys: [payment_id] })
  const { amount, reversed } = await sql.one(paymentWithReversals, { id: payment_id })
  return amount - reversed
}
