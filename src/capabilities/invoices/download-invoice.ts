// Downloads a paid invoice as a PDF.
import Type from 'typebox'
import { operation, ownerOf } from '../../app.ts'
import { Download, fileContent } from '../../replies/download.ts'
import { invoiceNotFound, invoiceNotPaid } from './faults.ts'
import { customerId, invoiceId } from './invoice.ts'
import { paymentOfInvoice } from './invoices.sql.ts'
import { readInvoice } from './read-invoices.ts'

export const downloadInvoice = operation({
  name: 'download_invoice',
  does: 'Download a paid invoice, or a credit note, as a PDF.',
  at: 'GET /v1/customers/{customer_id}/billing/invoices/{invoice_id}/pdf',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({ customer_id: customerId, invoice_id: invoiceId }),
  gives: fileContent,
  downloads: 'application/pdf',
  fails: [invoiceNotFound, invoiceNotPaid],
  effect: 'none',
  async run({ invoice_id }, call, app) {
    const key = { customer_id: call.customer_id, id: BigInt(invoice_id) }
    const invoice = await readInvoice(call.sql, key)
    if (invoice.status !== 'paid') throw invoiceNotPaid()
    const credited =
      invoice.credited_invoice_id === null
        ? null
        : await readInvoice(call.sql, { ...key, id: BigInt(invoice.credited_invoice_id) })
    const { payment_id } = await call.sql.one(paymentOfInvoice, key)
    // Loaded by the first download: fonts and a layout engine, which no other request needs.
    const { renderInvoice } = await import('./pdf/render-invoice.ts')
    return new Download({
      type: 'application/pdf',
      name: `${invoice.kind.replace('_', '-')}-${invoice.invoice_number}.pdf`,
      content: await renderInvoice(invoice, {
        environment: app.settings.environment,
        credited: credited?.invoice_number ?? null,
        payment_id,
      }),
    })
  },
})
