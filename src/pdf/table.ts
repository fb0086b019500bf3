// A table that continues on further pages, with its header on each.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { bottom, colors, gap, left, right, top } from './page-layout.ts'
import type { PdfPages, Style } from './pdf-pages.ts'

export type Column = { name: string; width: number; align: 'left' | 'right' }

type Row = { cells: readonly string[]; style: Style }

const headStyle = { size: 8.5, weight: 'bold', color: 'muted' } as const

/** A shorter text of Latin characters fits into each column. */
const one_line = /^[\x20-\x7e]{0,12}$/

/** `doc.y` moves below it. Layout is slow, so other requests run between the lines. */
export async function drawTable(
  pages: PdfPages,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const { doc } = pages
  const heads = { cells: columns.map(({ name }) => name), style: headStyle }
  const head = () => drawHead(pages, columns, heads)
  pages.need(60)
  head()
  for (const cells of rows) {
    const heights = cells.map((text, at) =>
      one_line.test(text) ? 0 : pages.heightOf(text, {}, columns[at]?.width),
    )
    const height = Math.max(doc.fontSize(9).currentLineHeight(true), ...heights) + 12
    if (doc.y + height > bottom) {
      doc.addPage().y = top
      head()
    }
    drawCells(pages, columns, { cells, style: {} })
    doc.y += height
    doc.moveTo(left, doc.y).lineTo(right, doc.y).lineWidth(0.5).strokeColor(colors.line).stroke()
    await nextTurn()
  }
}

function drawHead(pages: PdfPages, columns: readonly Column[], row: Row): void {
  const { doc } = pages
  doc.rect(left, doc.y, right - left, 22).fill(colors.band)
  drawCells(pages, columns, row)
  doc.y += 22
}

/** The cells are side by side from the left edge, and `doc.y` stays. */
function drawCells(pages: PdfPages, columns: readonly Column[], { cells, style }: Row): void {
  let x = left + gap
  const { y } = pages.doc
  for (const [at, { width, align }] of columns.entries()) {
    pages.doc.y = y + 6
    pages.write(cells[at] ?? '', style, { x, width, align })
    x += width + gap
  }
  pages.doc.y = y
}
