// The response for an invoice or a credit note.

import Type, { type Static } from 'typebox'
import { currencies } from '../../kit/money.ts'
import type { CustomerId } from '../../kit/random.ts'
import { amount, dateTime, nullable, oneOf, stringOf, wordOf } from '../../kit/schema.ts'
import { amountOfColumn } from './amounts.ts'
import type { InvoiceRow, ItemRow } from './invoices.sql.ts'

const statuses = ['open', 'paid', 'void'] as const
const documentKinds = ['invoice', 'credit_note'] as const

export const customerId = stringOf<CustomerId>({ description: 'The customer.' })
export const invoiceId = Type.Integer({ minimum: 1, description: 'The id of the invoice.' })

const item = Type.Object(
  {
    id: Type.Integer(),
    invoice_id: Type.Integer(),
    description: Type.String(),
    quantity: Type.Integer(),
    unit_amount: amount('The price of one.'),
    total_amount: amount('The quantity times the price.'),
    created_at: dateTime('When the invoice was issued.'),
  },
  { title: 'BillingInvoiceItemResponse' },
)

const lines = (description: string) => nullable(Type.String({ description }))

export const invoiceResponse = Type.Object(
  {
    id: Type.Integer(),
    customer_id: stringOf<CustomerId>(),
    invoice_number: Type.String({
      description: 'The year, and a number that has no gaps within the year.',
    }),
    kind: oneOf(documentKinds, { description: 'A credit note corrects an invoice.' }),
    credited_invoice_id: nullable(
      Type.Integer({ description: 'The invoice that a credit note corrects.' }),
    ),
    status: oneOf(statuses, { description: 'An open invoice is paid or voided, once.' }),
    currency: oneOf(currencies),
    subtotal_amount: amount('The sum of the items.'),
    tax_amount: amount('The tax.'),
    total_amount: amount('The subtotal and the tax.'),
    notes: nullable(Type.String()),
    processor_checkout_session_id: nullable(Type.String()),
    processor_payment_intent_id: nullable(Type.String()),
    seller: Type.Object(
      {
        name: lines('The legal name.'),
        address: lines('The address in lines.'),
        tax_id: lines('A tax id, such as a VAT id.'),
      },
      { description: 'The seller when the invoice was issued.' },
    ),
    buyer: Type.Object(
      {
        name: Type.String(),
        company_name: nullable(Type.String()),
        email: Type.String(),
        address: lines('The address in lines, or null if the account had no contact.'),
        country: lines('ISO 3166-1 alpha-2.'),
      },
      {
        description:
          'The buyer when the invoice was issued: the default billing contact, else the ' +
          'default registrant, else the account.',
      },
    ),
    issued_at: dateTime('When it was issued.'),
    due_at: nullable(dateTime('When it is due.')),
    paid_at: nullable(dateTime('When it was paid.')),
    voided_at: nullable(dateTime('When it was voided.')),
    created_at: dateTime('When it was created.'),
    updated_at: dateTime('When it was last changed.'),
    items: Type.Array(item),
  },
  { title: 'BillingInvoiceResponse' },
)
export type Invoice = Static<typeof invoiceResponse>

/** The response for a row and its items. */
export function invoiceOf(row: InvoiceRow, items: readonly ItemRow[]): Invoice {
  const { seller_name, seller_address, seller_tax_id } = row
  const created_at = row.issued_at.toISOString()
  return {
    id: Number(row.id),
    customer_id: row.customer_id,
    invoice_number: row.invoice_number,
    kind: wordOf(documentKinds, row.kind),
    credited_invoice_id: row.credited_invoice_id === null ? null : Number(row.credited_invoice_id),
    status: wordOf(statuses, row.status),
    currency: wordOf(currencies, row.currency),
    subtotal_amount: amountOfColumn(row.subtotal_amount),
    tax_amount: amountOfColumn(row.tax_amount),
    total_amount: amountOfColumn(row.total_amount),
    notes: row.notes,
    processor_checkout_session_id: row.processor_checkout_session_id,
    processor_payment_intent_id: row.processor_payment_intent_id,
    seller: { name: seller_name, address: seller_address, tax_id: seller_tax_id },
    buyer: {
      name: row.buyer_name,
      company_name: row.buyer_company,
      email: row.buyer_email,
      address: row.buyer_address,
      country: row.buyer_country,
    },
    issued_at: created_at,
    due_at: row.due_at?.toISOString() ?? null,
    paid_at: row.paid_at?.toISOString() ?? null,
    voided_at: row.voided_at?.toISOString() ?? null,
    created_at,
    updated_at: row.updated_at.toISOString(),
    items: items.map((one) => ({
      id: Number(one.id),
      invoice_id: Number(one.invoice_id),
      description: one.description,
      quantity: one.quantity,
      unit_amount: amountOfColumn(one.unit_amount),
      total_amount: amountOfColumn(one.total_amount),
      created_at,
    })),
  }
}
