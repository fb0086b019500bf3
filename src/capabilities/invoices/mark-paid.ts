// Marks an open invoice as paid, once. It moves the invoice, never a balance.
import Type from 'typebox'
import { operation, operatorOnly } from '../../app.ts'
import { nullable } from '../../kit/schema.ts'
import { invoiceNotFound, invoiceNotOpen } from './faults.ts'
import { customerId, invoiceId, invoiceResponse } from './invoice.ts'
import { markInvoicePaid } from './invoices.sql.ts'
import { readInvoice } from './read-invoices.ts'

const id = (description: string) =>
  Type.Optional(nullable(Type.String({ maxLength: 255, description })))

export const markInvoiceAsPaid = operation({
  name: 'mark_invoice_paid',
  does: 'Mark an open invoice as paid.',
  more: 'The same call again returns the same invoice. No balance changes.',
  at: 'POST /v1/customers/{customer_id}/billing/invoices/{invoice_id}/mark-paid',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object(
    {
      customer_id: customerId,
      invoice_id: invoiceId,
      processor_checkout_session_id: id("The processor's checkout session."),
      processor_payment_intent_id: id("The processor's payment intent."),
    },
    { title: 'BillingInvoiceMarkPaidRequest' },
  ),
  gives: invoiceResponse,
  fails: [invoiceNotFound, invoiceNotOpen],
  effect: 'transaction',
  target: ({ customer_id, invoice_id }, invoice) => ({
    target_type: 'invoice',
    target: invoice?.invoice_number ?? String(invoice_id),
    customer_id,
  }),
  async run(input, call) {
    const key = { customer_id: input.customer_id, id: BigInt(input.invoice_id) }
    const given = {
      processor_checkout_session_id: input.processor_checkout_session_id || null,
      processor_payment_intent_id: input.processor_payment_intent_id || null,
    }
    const changed = await call.sql.count(markInvoicePaid, { ...key, ...given })
    const invoice = await readInvoice(call.sql, key)
    const { processor_checkout_session_id: session, processor_payment_intent_id: intent } = invoice
    const isSame =
      invoice.status === 'paid' &&
      [null, session].includes(given.processor_checkout_session_id) &&
      [null, intent].includes(given.processor_payment_intent_id)
    if (changed === 0 && !isSame) throw invoiceNotOpen()
    return invoice
  },
})
