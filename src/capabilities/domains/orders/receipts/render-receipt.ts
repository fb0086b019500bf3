// The receipt of a purchase as a PDF. Only the attached JWS is signed; the pages show its facts,
// its id and its digest.
import { createHash } from 'node:crypto'
import { toUnicode } from 'tr46'
import type { DomainName } from '../../../../kit/random.ts'
import {
  drawFacts,
  drawParagraph,
  drawParties,
  drawTitle,
  drawTotals,
} from '../../../../pdf/blocks.ts'
import { isCovered } from '../../../../pdf/fonts.ts'
import { dateOf, momentOf, moneyOf } from '../../../../pdf/page-layout.ts'
import { PdfPages } from '../../../../pdf/pdf-pages.ts'
import { hasRightToLeft } from '../../../../pdf/right-to-left.ts'
import { type Column, drawTable } from '../../../../pdf/table.ts'
import { buyerParty, sandboxWarning, type sellerOf, sellerParty } from '../../../invoices/index.ts'
import { handlerOf } from '../handlers/order-handlers.ts'
import type { Receipt, ReceiptFacts } from './receipt.ts'
import type { ReceiptBuyer } from './receipts.sql.ts'

type Context = {
  seller: ReturnType<typeof sellerOf>
  buyer: ReceiptBuyer
  environment: 'sandbox' | 'production'
  base_url: string
}

const columns: readonly Column[] = [
  { name: 'Description', width: 365, align: 'left' },
  { name: 'Amount', width: 102, align: 'right' },
]

export async function renderReceipt(receipt: Receipt, context: Context): Promise<Buffer> {
  const { order, facts, jws } = receipt
  const { seller, buyer, environment } = context
  const { customer_id } = order
  const paid_at = new Date(facts.paid_at)
  const title = `Receipt ${facts.operation_id}`
  const pages = new PdfPages({
    title: seller.name === null ? title : `${title} of ${seller.name}`,
    author: seller.name ?? '',
    at: paid_at,
    warning: sandboxWarning(environment),
  })
  drawTitle(pages, 'Receipt', [
    ['Number', facts.operation_id],
    ['Date', dateOf(facts.paid_at)],
    ['Payment', 'From the prepaid balance of the account'],
    ['Payment reference', `Transaction ${facts.transfers.capture}`],
    ['Currency', facts.currency],
  ])
  drawParties(pages, sellerParty(seller), buyerParty(buyer, customer_id))
  const sold = handlerOf(order.type).title({ ...order, domain: shownName(facts.domain) })
  await drawTable(pages, columns, [[sold, moneyOf(facts.amount)]])
  const total = moneyOf(facts.amount, facts.currency)
  drawTotals(pages, [{ label: 'Total paid', value: total, isSum: true }])
  drawParagraph(pages, null, taxWords)
  drawEvidence(pages, receipt, context)
  const signed = { name: 'receipt.jwt', type: 'application/jwt', content: jws, at: paid_at }
  pages.attach({ ...signed, says: 'The signed receipt: a compact JWS' })
  return await pages.finish()
}

const taxWords =
  'No tax is charged in addition. This is a receipt for a purchase that was paid from the ' +
  'balance; each payment to the balance has an invoice of its own.'

/** The name, also in Unicode if the fonts have its letters and it reads from left to right. */
function shownName(domain: DomainName): string {
  const unicode = toUnicode(domain).domain
  const isReadable = isCovered(unicode) && !hasRightToLeft(unicode)
  return unicode !== domain && isReadable ? `${unicode} (${domain})` : domain
}

function drawEvidence(pages: PdfPages, { facts, jws }: Receipt, { base_url }: Context): void {
  const digest = createHash('sha256').update(jws).digest('hex')
  const words =
    `The signed receipt is attached to this file as receipt.jwt (a JWS, ES256). It alone is ` +
    `evidence: verify it with the keys at ${base_url}/v1/document-keys. The owner of the account ` +
    `reads it again, signed anew, at ${base_url}/v1/operations/${facts.operation_id}/receipt.`
  drawParagraph(pages, 'Evidence', words)
  pages.doc.y += 8
  drawFacts(pages, evidenceOf(facts, digest), 8)
}

function evidenceOf(facts: ReceiptFacts, digest: string) {
  const { transfers, audit, placed_at, paid_at, request_sha256, quote_id } = facts
  return [
    ['Signed receipt', `jti ${facts.operation_id}`],
    ['Its SHA-256', digest],
    ['Ordered', `${momentOf(placed_at)}, transaction ${transfers.hold}`],
    ['Paid', `${momentOf(paid_at)}, transaction ${transfers.capture}`],
    ['Request SHA-256', request_sha256],
    ['Quote', quote_id],
    ['Audit entry, order', audit.placed && `${audit.placed.id}: ${audit.placed.row_hash}`],
    ['Audit entry, payment', audit.settled && `${audit.settled.id}: ${audit.settled.row_hash}`],
  ] as const
}
