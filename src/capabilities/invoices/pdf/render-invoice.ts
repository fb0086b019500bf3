// An invoice or a credit note as a PDF. The same invoice gives the same bytes.
import type { PaymentId } from '../../../kit/random.ts'
import { drawParagraph, drawParties, drawTitle, drawTotals } from '../../../pdf/blocks.ts'
import { dateOf, moneyOf } from '../../../pdf/page-layout.ts'
import { PdfPages } from '../../../pdf/pdf-pages.ts'
import { type Column, drawTable } from '../../../pdf/table.ts'
import { buyerParty, sandboxWarning, sellerParty } from '../document-parties.ts'
import type { Invoice } from '../invoice.ts'

const columns: readonly Column[] = [
  { name: 'Description', width: 225, align: 'left' },
  { name: 'Quantity', width: 50, align: 'right' },
  { name: 'Price', width: 86, align: 'right' },
  { name: 'Amount', width: 90, align: 'right' },
]

type Context = {
  environment: 'sandbox' | 'production'
  /** The number of the invoice that a credit note corrects. */
  credited: string | null
  /** The id of its payment or reversal at the means of payment, or null if it has none. */
  payment_id: PaymentId | null
}

export async function renderInvoice(invoice: Invoice, context: Context): Promise<Buffer> {
  const { seller, buyer, customer_id, notes } = invoice
  const title = `${titleOf(invoice)} ${invoice.invoice_number}`
  const pages = new PdfPages({
    title: seller.name === null ? title : `${title} of ${seller.name}`,
    author: seller.name ?? '',
    at: new Date(invoice.issued_at),
    warning: sandboxWarning(context.environment),
  })
  drawTitle(pages, titleOf(invoice), factsOf(invoice, context))
  drawParties(pages, sellerParty(seller), buyerParty(buyer, customer_id))
  const rows = invoice.items.map(({ description, quantity, unit_amount, total_amount }) => [
    ...[description, String(quantity), moneyOf(unit_amount), moneyOf(total_amount)],
  ])
  await drawTable(pages, columns, rows)
  drawTotals(pages, totalsOf(invoice))
  if (isZero(invoice.tax_amount)) drawParagraph(pages, null, 'No tax is charged.')
  if (notes !== null && notes.trim() !== '') drawParagraph(pages, 'Notes', notes)
  return await pages.finish()
}

function titleOf({ kind }: Invoice): string {
  return kind === 'credit_note' ? 'Credit note' : 'Invoice'
}

function factsOf(invoice: Invoice, { credited, payment_id }: Context) {
  const { processor_payment_intent_id: intent, processor_checkout_session_id: session } = invoice
  const isNote = invoice.kind === 'credit_note'
  return [
    ['Number', invoice.invoice_number],
    ['Corrects invoice', credited],
    ['Date', dateOf(invoice.issued_at)],
    ['Due', invoice.due_at && dateOf(invoice.due_at)],
    [isNote ? 'Settled' : 'Paid', invoice.paid_at && dateOf(invoice.paid_at)],
    ['Payment reference', intent ?? session ?? payment_id],
    ['Currency', invoice.currency],
  ] as const
}

function totalsOf({ kind, currency, ...invoice }: Invoice) {
  const label = kind === 'credit_note' ? 'Total credited' : 'Total paid'
  return [
    { label: 'Subtotal', value: moneyOf(invoice.subtotal_amount, currency) },
    { label: 'Tax', value: moneyOf(invoice.tax_amount, currency) },
    { label, value: moneyOf(invoice.total_amount, currency), isSum: true },
  ] as const
}

function isZero(amount: string): boolean {
  return Number(amount) === 0
}
