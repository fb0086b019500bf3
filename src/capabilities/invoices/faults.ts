// Errors of invoices.
import { fault } from '../../kit/fault.ts'

export const invoiceNotFound = fault('invoice_not_found', 'absent', {
  sentence: 'There is no invoice with this id.',
  hint: 'List the invoices of the customer.',
})
export const invoiceNotPaid = fault('invoice_not_paid', 'conflict', {
  sentence: 'The invoice is not paid, and only a paid invoice has a PDF.',
  hint: 'Pay it first; an operator marks it as paid.',
})
export const invoiceNotOpen = fault('invoice_not_open', 'conflict', {
  sentence: 'The invoice is already void, or was paid with different details.',
  hint: 'Read the invoice, and compare the ids of its payment. Nothing was changed now.',
})
