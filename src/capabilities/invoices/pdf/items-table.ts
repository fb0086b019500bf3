// The lines of an invoice as a table that continues on further pages, with its header on each.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Invoice } from '../invoice.ts'
import { bottom, colors, gap, left, moneyOf, right, top } from './page-layout.ts'

/** A shorter text fits into each column. */
const one_line = 13
const columns = [
  { name: 'Description', x: left + gap, width: 225, align: 'left' },
  { name: 'Quantity', x: left + 240, width: 50, align: 'right' },
  { name: 'Price', x: left + 298, width: 87, align: 'right' },
  { name: 'Amount', x: left + 393, width: right - left - 393 - gap, align: 'right' },
] as const

/** Leaves `doc.y` below the table. Layout is slow: other requests run between the lines. */
export async function drawItems(doc: PDFKit.PDFDocument, items: Invoice['items']): Promise<void> {
  drawHead(doc)
  for (const { description, quantity, unit_amount, total_amount } of items) {
    const cells = [description, String(quantity), moneyOf(unit_amount), moneyOf(total_amount)]
    doc.font('regular').fontSize(9)
    const heights = cells.map((text, at) =>
      text.length < one_line ? 0 : doc.heightOfString(text, { width: columns[at]?.width }),
    )
    const height = Math.max(doc.currentLineHeight(true), ...heights) + 12
    if (doc.y + height > bottom) {
      doc.addPage().y = top
      drawHead(doc)
    }
    drawRow(doc, { cells, height })
    await nextTurn()
  }
}

function drawHead(doc: PDFKit.PDFDocument): void {
  doc.rect(left, doc.y, right - left, 22).fill(colors.band)
  doc.font('bold').fontSize(8.5).fillColor(colors.muted)
  drawCells(
    doc,
    columns.map(({ name }) => name),
  )
  doc.y += 22
}

function drawRow(
  doc: PDFKit.PDFDocument,
  { cells, height }: { cells: readonly string[]; height: number },
): void {
  doc.font('regular').fontSize(9).fillColor(colors.ink)
  drawCells(doc, cells)
  doc.y += height
  doc.moveTo(left, doc.y).lineTo(right, doc.y).lineWidth(0.5).strokeColor(colors.line).stroke()
}

/** Side by side; `doc.y` stays. */
function drawCells(doc: PDFKit.PDFDocument, cells: readonly string[]): void {
  const y = doc.y
  for (const [at, { x, width, align }] of columns.entries())
    doc.text(cells[at] ?? '', x, y + 6, { width, align })
  doc.y = y
}
