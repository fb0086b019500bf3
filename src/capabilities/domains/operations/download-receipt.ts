// Downloads the receipt of a purchase as a PDF for people, with the signed one attached: GET
// /v1/operations/{id}/receipt/pdf.
import Type from 'typebox'
import { operation, owner } from '../../../app.ts'
import { identifier } from '../../../kit/schema.ts'
import { Download, fileContent } from '../../../replies/download.ts'
import { sellerOf } from '../../invoices/index.ts'
import { operationNotFound, receiptUnavailable } from '../faults.ts'
import { readReceipt } from '../orders/receipts/receipt.ts'
import { buyerOfReceipt } from '../orders/receipts/receipts.sql.ts'

export const downloadReceipt = operation({
  name: 'download_receipt',
  does: 'Download the receipt of a paid operation as a PDF.',
  more:
    'It shows the facts of get_receipt, with seller and buyer as they are now. The signed ' +
    'receipt, which alone is evidence, is attached to the file as receipt.jwt.',
  at: 'GET /v1/operations/{id}/receipt/pdf',
  area: 'Domains',
  who: owner('domains:read'),
  takes: Type.Object({ id: identifier('ord', 'The id of the order.') }),
  gives: fileContent,
  downloads: 'application/pdf',
  fails: [operationNotFound, receiptUnavailable],
  effect: 'none',
  async run({ id }, call, app) {
    const receipt = await readReceipt(app, call, id)
    const { customer_id } = call
    const buyer = await app.db.one(buyerOfReceipt, { customer_id })
    // The fonts and the layout engine are loaded by the first download, as no other request needs
    // them.
    const { renderReceipt } = await import('../orders/receipts/render-receipt.ts')
    const { environment, base_url } = app.settings
    const seller = sellerOf(app.settings)
    return new Download({
      type: 'application/pdf',
      name: `receipt-${id}.pdf`,
      content: await renderReceipt(receipt, { seller, buyer, environment, base_url }),
    })
  },
})
