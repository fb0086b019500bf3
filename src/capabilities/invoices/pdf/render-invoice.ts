// An invoice as a PDF: A4, with embedded fonts of every European script. The same invoice gives the
// same bytes: all dates are its own, and the file's identifier is derived from its contents.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import { countryNameOf } from '../../contacts/index.ts'
import type { Invoice } from '../invoice.ts'
import { drawItems } from './items-table.ts'
import {
  bottom,
  colors,
  contentWidth,
  dateOf,
  gap,
  left,
  moneyOf,
  right,
  top,
} from './page-layout.ts'

const { resolve } = createRequire(import.meta.url)
const font = (name: string) => readFileSync(resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
const fonts = { regular: font('DejaVuSans'), bold: font('DejaVuSans-Bold') }

/** `credited`: the number of the invoice that a credit note corrects. */
export async function renderInvoice(invoice: Invoice, credited: string | null): Promise<Buffer> {
  const title = `${titleOf(invoice)} ${invoice.invoice_number}`
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: title,
      Author: invoice.seller.name ?? '',
      CreationDate: new Date(invoice.issued_at),
      ModDate: new Date(invoice.issued_at),
    },
  })
  const chunks: Buffer[] = []
  const { promise, resolve: done, reject } = Promise.withResolvers<Buffer>()
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  doc.on('end', () => done(Buffer.concat(chunks)))
  doc.on('error', reject)
  doc.registerFont('regular', fonts.regular)
  doc.registerFont('bold', fonts.bold)
  drawHeader(doc, invoice, credited)
  drawParties(doc, invoice)
  await drawItems(doc, invoice.items)
  drawTotals(doc, invoice)
  drawNotes(doc, invoice)
  drawFooters(doc, title)
  doc.end()
  return await promise
}

function titleOf({ kind }: Invoice): string {
  return kind === 'credit_note' ? 'Credit note' : 'Invoice'
}

function drawHeader(doc: PDFKit.PDFDocument, invoice: Invoice, credited: string | null): void {
  doc.font('bold').fontSize(22).fillColor(colors.ink).text(titleOf(invoice), left, top)
  const facts: [string, string | null][] = [
    ['Number', invoice.invoice_number],
    ['Corrects invoice', credited],
    ['Issued', dateOf(invoice.issued_at)],
    ['Due', invoice.due_at && dateOf(invoice.due_at)],
    [
      invoice.kind === 'credit_note' ? 'Settled' : 'Paid',
      invoice.paid_at && dateOf(invoice.paid_at),
    ],
    ['Payment', invoice.processor_payment_intent_id ?? invoice.processor_checkout_session_id],
  ]
  let y = top + 36
  for (const [label, value] of facts) {
    if (value === null) continue
    doc.font('regular').fontSize(9).fillColor(colors.muted).text(label, left, y, { width: 100 })
    const width = contentWidth - 105
    doc.fillColor(colors.ink).text(value, left + 105, y, { width })
    y += Math.max(14, doc.heightOfString(value, { width }) + 3)
  }
  doc.y = y + 14
}

function drawParties(doc: PDFKit.PDFDocument, { seller, buyer }: Invoice): void {
  const from = [
    seller.address,
    seller.tax_id && `Tax id: ${seller.tax_id}`,
    seller.name === null ? 'The details of the seller are not set.' : null,
  ]
  const to = [
    buyer.company_name && buyer.name,
    buyer.address,
    buyer.country && countryNameOf(buyer.country),
    buyer.email,
  ]
  const y = doc.y
  const width = contentWidth / 2 - 12
  const ends = [
    drawParty(doc, { label: 'From', name: seller.name, lines: from, x: left, y, width }),
    drawParty(doc, {
      ...{ label: 'To', name: buyer.company_name ?? buyer.name, lines: to },
      ...{ x: left + contentWidth / 2 + 12, y, width },
    }),
  ]
  doc.y = Math.max(...ends) + 26
}

type Party = {
  label: string
  name: string | null
  lines: readonly (string | null)[]
  x: number
  y: number
  width: number
}

/** Returns where it ends. */
function drawParty(doc: PDFKit.PDFDocument, party: Party): number {
  const { label, name, lines, x, y, width } = party
  doc.font('regular').fontSize(9).fillColor(colors.muted).text(label, x, y, { width })
  if (name !== null) doc.font('bold').fontSize(10).fillColor(colors.ink).text(name, { width })
  const text = lines.filter((line) => line !== null && line !== '').join('\n')
  if (text !== '') doc.font('regular').fontSize(9).fillColor(colors.ink).text(text, { width })
  return doc.y
}

function drawTotals(doc: PDFKit.PDFDocument, invoice: Invoice): void {
  const { subtotal_amount, tax_amount, total_amount, currency, kind } = invoice
  const rows: [string, string, 'regular' | 'bold'][] = [
    ['Subtotal', subtotal_amount, 'regular'],
    ['Tax', tax_amount, 'regular'],
    [kind === 'credit_note' ? 'Total credited' : 'Total paid', total_amount, 'bold'],
  ]
  if (doc.y + 70 > bottom) doc.addPage().y = top
  let y = doc.y + 12
  for (const [label, value, weight] of rows) {
    doc
      .font(weight)
      .fontSize(weight === 'bold' ? 10.5 : 9)
      .fillColor(colors.ink)
    doc.text(label, right - gap - 340, y, { width: 105 })
    doc.text(moneyOf(value, currency), right - gap - 230, y, { width: 230, align: 'right' })
    y += weight === 'bold' ? 18 : 15
  }
  doc.y = y
}

function drawNotes(doc: PDFKit.PDFDocument, { notes }: Invoice): void {
  if (notes === null || notes.trim() === '') return
  doc.font('regular').fontSize(9)
  const height = doc.heightOfString(notes, { width: contentWidth }) + 40
  if (doc.y + height > bottom) doc.addPage().y = top
  doc.fillColor(colors.muted).text('Notes', left, doc.y + 16, { width: contentWidth })
  doc.fillColor(colors.ink).text(notes, { width: contentWidth })
}

/** Once the number of pages is known. */
function drawFooters(doc: PDFKit.PDFDocument, title: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page)
    doc.font('regular').fontSize(8).fillColor(colors.muted)
    doc.text(title, left, bottom + 22, { width: contentWidth / 2, lineBreak: false })
    const words = `Page ${page - start + 1} of ${count}`
    doc.text(words, left, bottom + 22, { width: contentWidth, align: 'right', lineBreak: false })
  }
}
