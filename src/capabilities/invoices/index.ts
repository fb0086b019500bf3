// The invoices module: documents of payments and of charges to customers.
import { createInvoice } from './create-invoice.ts'
import { downloadInvoice } from './download-invoice.ts'
import { markInvoiceAsPaid } from './mark-paid.ts'
import { getInvoice, listInvoices } from './read-invoices.ts'

export { buyerParty, sandboxWarning, sellerOf, sellerParty } from './document-parties.ts'
export { creditNoteFor, issueForPayment, type Seller } from './issue.ts'

export const operations = [
  createInvoice,
  listInvoices,
  getInvoice,
  downloadInvoice,
  markInvoiceAsPaid,
]
