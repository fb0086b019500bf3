// The blocks that documents share: a title with its facts, the two parties, totals, and paragraphs.
import { colors, contentWidth, gap, left, right } from './page-layout.ts'
import type { PdfPages } from './pdf-pages.ts'

type Fact = readonly [label: string, value: string | null]
/** Lines that are null or empty are left out. */
export type Party = { label: string; name: string | null; lines: readonly (string | null)[] }

export function drawTitle(pages: PdfPages, title: string, facts: readonly Fact[]): void {
  pages.write(title, { size: 22, weight: 'bold' })
  pages.doc.y += 10
  drawFacts(pages, facts)
  pages.doc.y += 12
}

/** A label and a value in each line. A fact whose value is null has no line. */
export function drawFacts(pages: PdfPages, facts: readonly Fact[], size = 9): void {
  const label_width = 118
  for (const [label, value] of facts) {
    if (value === null) continue
    const width = contentWidth - label_width
    pages.need(Math.max(14, pages.heightOf(value, { size }, width)))
    pages.beside(
      () => pages.write(label, { size, color: 'muted' }, { width: label_width - 8 }),
      () => pages.write(value, { size }, { x: left + label_width, width }),
    )
    pages.doc.y += 3
  }
}

export function drawParties(pages: PdfPages, one: Party, other: Party): void {
  const width = contentWidth / 2 - 12
  pages.beside(
    () => drawParty(pages, one, { x: left, width }),
    () => drawParty(pages, other, { x: left + contentWidth / 2 + 12, width }),
  )
  pages.doc.y += 24
}

function drawParty(
  pages: PdfPages,
  { label, name, lines }: Party,
  place: { x: number; width: number },
): void {
  pages.write(label, { color: 'muted' }, place)
  pages.doc.y += 2
  if (name !== null) pages.write(name, { size: 10, weight: 'bold' }, place)
  for (const line of lines) if (line !== null && line !== '') pages.write(line, {}, place)
}

type Total = { label: string; value: string; isSum?: true }

export function drawTotals(pages: PdfPages, totals: readonly Total[]): void {
  pages.need(20 + totals.length * 18)
  const from = right - gap - 300
  pages.doc.y += 10
  for (const [at, { label, value, isSum }] of totals.entries()) {
    if (isSum && at > 0) drawRule(pages, from)
    const style = isSum ? ({ size: 10.5, weight: 'bold' } as const) : {}
    pages.beside(
      () => pages.write(label, style, { x: from, width: 130 }),
      () => pages.write(value, style, { x: from + 130, width: 170, align: 'right' }),
    )
    pages.doc.y += 4
  }
}

function drawRule({ doc }: PdfPages, from: number): void {
  doc.moveTo(from, doc.y).lineTo(right, doc.y).lineWidth(0.5).strokeColor(colors.line).stroke()
  doc.y += 5
}

/** It breaks between pages if it is longer than one. */
export function drawParagraph(pages: PdfPages, heading: string | null, text: string): void {
  pages.need(44)
  pages.doc.y += 14
  if (heading !== null) pages.write(heading, { color: 'muted' })
  for (const line of text.split(/\r?\n/)) {
    pages.need(pages.heightOf(line || ' '))
    pages.write(line || ' ')
  }
}
