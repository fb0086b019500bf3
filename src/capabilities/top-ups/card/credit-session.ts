// Credits a paid session of the card processor once, however it is reported: by the customer's
// return, a webhook, a job or an operator.

import type { App, AuditFacts, AuditRow } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { Currency } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { enqueue } from '../../../tasks/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { creditOnce } from '../payments/credit.ts'
import { lockCheckout, moveCheckout } from './card.sql.ts'
import { readCardReversals } from './checkout-tasks.ts'

/**
 * The facts that the processor shows, or that an operator states if there is no processor to ask.
 */
export type PaidSession = {
  session_id: string
  payment_intent: string | null
  customer_id: CustomerId
  currency: Currency
  amount_cents: bigint
}

type Facts = { customer_id: CustomerId | null; currency: string | null; amount_cents: bigint }

/** Whether two parties name the same customer, currency and amount. */
export function isSame(one: Facts, other: Facts): boolean {
  return (
    one.customer_id === other.customer_id &&
    one.currency === other.currency &&
    one.amount_cents === other.amount_cents
  )
}

type Crediting = {
  app: App
  auditRow: (facts: AuditFacts) => AuditRow
  /** The audit row of the call, which is stored even if the credit was posted before. */
  status_code?: number
}

/**
 * Stores in one transaction the credit, its document, the checkout, an audit row, and the task that
 * watches for refunds. Lock order: the checkout, then those of `creditOnce`. Throws
 * PaymentConflict.
 */
export async function creditSession(
  sql: Sql,
  paid: PaidSession,
  { app, auditRow, status_code }: Crediting,
) {
  const { session_id, payment_intent, customer_id, currency, amount_cents } = paid
  const locked = await sql.maybe(lockCheckout, { session_id })
  // An operator who is believed may name other facts; the checkout is parked when it is read.
  const checkout = locked && isSame(locked, paid) ? locked : undefined
  const done = await creditOnce(
    sql,
    {
      id: `processor/${session_id}`,
      customer_id,
      currency,
      amount: amount_cents,
      account: 'processor',
      description: 'Card top-up',
      checkout_id: checkout?.id ?? session_id,
      processor_checkout_session_id: session_id,
      processor_payment_intent_id: payment_intent,
    },
    { seller: app.settings, at: app.clock.now() },
  )
  const { id: payment_id } = done.payment
  if (checkout)
    await sql.count(moveCheckout, {
      id: checkout.id,
      status: 'paid',
      payment_id,
      parked_reason: null,
      from: ['open', 'processing', 'expired', 'failed', 'parked'],
    })
  if (done.credited && payment_intent !== null)
    await enqueue(sql, readCardReversals, { key: payment_id, payload: { payment_intent } })
  if (done.credited || status_code !== undefined) {
    const repeated = done.credited ? {} : { repeated: true }
    const metadata = { amount_cents: Number(amount_cents), currency, ...repeated }
    const target = { target_type: 'processor_checkout_session', target: session_id }
    const facts = { ...target, customer_id, metadata, status_code: status_code ?? null }
    await storeAuditRow(sql, auditRow(facts))
  }
  return done
}
