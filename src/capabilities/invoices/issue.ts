// Issues documents: the invoice of a credited payment, paid as it is issued, and the credit note of
// its reversal. In the transaction that moves the money, and before it locks the balance: the
// number's row is locked first everywhere (README.md).

import type { Sql } from '../../db/database.ts'
import { json } from '../../db/statement.ts'
import type { Currency } from '../../kit/money.ts'
import type { CustomerId, InvoiceId, PaymentId } from '../../kit/random.ts'
import { sellerOf } from './document-parties.ts'
import { invoiceOfPayment, issueInvoice } from './invoices.sql.ts'

export type Seller = Parameters<typeof sellerOf>[0]

type Item = { description: string; quantity: number; unit_amount: bigint }

type Draft = {
  customer_id: CustomerId
  currency: Currency
  kind: 'invoice' | 'credit_note'
  status: 'open' | 'paid'
  tax_amount: bigint
  notes: string | null
  due_at: Date | null
  paid_at: Date | null
  credited_invoice_id: bigint | null
  payment_id: PaymentId | null
  processor_checkout_session_id: string | null
  processor_payment_intent_id: string | null
  items: readonly Item[]
}

/** The parts of a draft that a document of money leaves empty. */
const plain = {
  tax_amount: 0n,
  notes: null,
  due_at: null,
  credited_invoice_id: null,
  processor_checkout_session_id: null,
  processor_payment_intent_id: null,
} as const

/** Gives it the next number; returns its id. */
export async function issue(sql: Sql, draft: Draft, seller: Seller): Promise<InvoiceId> {
  const { customer_id, currency, items, ...facts } = draft
  const { name, address, tax_id } = sellerOf(seller)
  const { id } = await sql.one(issueInvoice, {
    customer_id,
    currency,
    facts: json({
      ...facts,
      tax_amount: String(facts.tax_amount),
      credited_invoice_id: facts.credited_invoice_id && String(facts.credited_invoice_id),
      seller_name: name,
      seller_address: address,
      seller_tax_id: tax_id,
    }),
    items: json(items.map((item) => ({ ...item, unit_amount: String(item.unit_amount) }))),
  })
  return id
}

type Money = {
  customer_id: CustomerId
  currency: Currency
  /** The amount in minor units, above zero. */
  amount: bigint
  description: string
  at: Date
}

/**
 * A payment that is credited now. `payment_id` is unique among all payments and reversals: a second
 * document of one is refused by the database.
 */
type CreditedPayment = Money & {
  payment_id: PaymentId
  processor_checkout_session_id?: string
  processor_payment_intent_id?: string | null
}

/** The paid invoice of a payment; its id belongs to the line of the ledger. */
export function issueForPayment(
  sql: Sql,
  payment: CreditedPayment,
  seller: Seller,
): Promise<InvoiceId> {
  const { amount, description, at, ...facts } = payment
  const items = [{ description, quantity: 1, unit_amount: amount }]
  return issue(
    sql,
    { ...plain, kind: 'invoice', status: 'paid', paid_at: at, items, ...facts },
    seller,
  )
}

/**
 * A reversal of a credited payment, in whole or in part; its own `payment_id` is unique as well.
 */
type Reversal = Money & { payment_id: PaymentId; credited_payment_id: PaymentId }

/** The credit note of a reversal; its id belongs to the line of the ledger. */
export async function creditNoteFor(
  sql: Sql,
  reversal: Reversal,
  seller: Seller,
): Promise<InvoiceId> {
  const { amount, description, at, credited_payment_id, ...facts } = reversal
  const { customer_id } = facts
  const { id } = await sql.one(invoiceOfPayment, { customer_id, payment_id: credited_payment_id })
  const items = [{ description, quantity: 1, unit_amount: amount }]
  const note = { ...plain, kind: 'credit_note', status: 'paid', paid_at: at, items } as const
  return issue(sql, { ...note, ...facts, credited_invoice_id: id }, seller)
}
