// The pages of a document: A4, with embedded fonts, a break if the next block does not fit, and a
// footer on each. The same content gives the same bytes, because all dates are the document's own
// and the identifier of the file is derived from its content.
import PDFDocument from 'pdfkit'
import { fonts, printable, type Weight } from './fonts.ts'
import { bottom, colors, contentWidth, left, top } from './page-layout.ts'
import { hasRightToLeft, seenOrder, wrapped } from './right-to-left.ts'

export type Style = { size?: number; weight?: Weight; color?: keyof typeof colors }
type Place = { x?: number; width?: number; align?: 'left' | 'right' }

type Attachment = { name: string; type: string; says: string; content: string; at: Date }

/** `warning` is printed at the top of each page, unless it is null. */
type Facts = { title: string; author: string; at: Date; warning: string | null }

export class PdfPages {
  readonly doc: PDFKit.PDFDocument
  readonly #facts: Facts
  readonly #bytes: Promise<Buffer>
  #isTransliterated = false

  constructor(facts: Facts) {
    this.#facts = facts
    this.doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      lang: 'en',
      displayTitle: true,
      info: {
        Title: facts.title,
        Author: facts.author,
        CreationDate: facts.at,
        ModDate: facts.at,
      },
    })
    this.#bytes = bytesOf(this.doc)
    for (const [name, bytes] of Object.entries(fonts)) this.doc.registerFont(name, bytes)
    this.doc.y = top
  }

  /** Starts a new page unless it fits. */
  need(height: number): void {
    if (this.doc.y + height > bottom) this.doc.addPage().y = top
  }

  /** Writes a text and moves `doc.y` below it. Line breaks of the text are kept. */
  write(
    text: string,
    style: Style = {},
    { x = left, width = contentWidth, align = 'left' }: Place = {},
  ) {
    this.#use(style)
    for (const line of this.#shown(text).split('\n'))
      if (hasRightToLeft(line)) this.#writeTurned(line, { x, width, align })
      else this.doc.text(line, x, this.doc.y, { width, align })
  }

  heightOf(text: string, style: Style = {}, width: number = contentWidth): number {
    this.#use(style)
    const heights = this.#shown(text)
      .split('\n')
      .map((line) =>
        hasRightToLeft(line)
          ? this.#wrapped(line, width).length * this.doc.currentLineHeight(true)
          : this.doc.heightOfString(line, { width }),
      )
    return heights.reduce((sum, height) => sum + height, 0)
  }

  /**
   * The texts are beside each other, so each is written at the same height, and `doc.y` moves below
   * the tallest.
   */
  beside(...blocks: readonly (() => void)[]): void {
    const { y } = this.doc
    const ends = blocks.map((write) => {
      this.doc.y = y
      write()
      return this.doc.y
    })
    this.doc.y = Math.max(...ends)
  }

  attach({ name, type, says, content, at }: Attachment): void {
    const dates = { creationDate: at, modifiedDate: at }
    this.doc.file(Buffer.from(content), { name, type, description: says, ...dates })
  }

  async finish(): Promise<Buffer> {
    if (this.#isTransliterated) {
      const words = 'Characters that the fonts of this file lack are written in Latin letters.'
      this.need(24)
      this.doc.y += 12
      this.write(words, { size: 8, color: 'muted' })
    }
    const { start, count } = this.doc.bufferedPageRange()
    for (let page = start; page < start + count; page += 1) {
      this.doc.switchToPage(page)
      this.#frame(`Page ${page - start + 1} of ${count}`)
    }
    this.doc.end()
    return await this.#bytes
  }

  /** Draws its band, and its footer once the number of pages is known. */
  #frame(number: string): void {
    const { doc } = this
    const { title, warning } = this.#facts
    if (warning !== null) {
      doc.rect(left, 24, contentWidth, 20).fill(colors.warningBand)
      doc.y = 29
      const style = { size: 8.5, weight: 'bold', color: 'warning' } as const
      this.write(warning, style, { x: left + 8, width: contentWidth - 16 })
    }
    this.#use({ size: 8, color: 'muted' })
    const oneLine = { width: contentWidth - 90, height: 10, ellipsis: true }
    doc.text(printable(title), left, bottom + 26, oneLine)
    doc.text(number, left, bottom + 26, { width: contentWidth, align: 'right', lineBreak: false })
  }

  #use({ size = 9, weight = 'regular', color = 'ink' }: Style): void {
    this.doc.font(weight).fontSize(size).fillColor(colors[color])
  }

  #shown(text: string): string {
    const shown = printable(text)
    if (shown !== text.normalize('NFC').replaceAll('\r\n', '\n')) this.#isTransliterated = true
    return shown
  }

  #wrapped(line: string, width: number): string[] {
    return wrapped(line, width, (text) => this.doc.widthOfString(text))
  }

  #writeTurned(line: string, { x, width, align }: Place & { x: number; width: number }): void {
    const { doc } = this
    const height = doc.currentLineHeight(true)
    for (const part of this.#wrapped(line, width)) {
      const tokens = seenOrder(part)
      const widths = tokens.map((token) => doc.widthOfString(token))
      const { y } = doc
      let at = align === 'right' ? x + width - widths.reduce((sum, one) => sum + one, 0) : x
      for (const [index, token] of tokens.entries()) {
        if (token.trim() !== '') doc.text(token, at, y, { lineBreak: false })
        at += widths[index] ?? 0
      }
      doc.y = y + height
    }
  }
}

function bytesOf(doc: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = []
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  doc.on('end', () => resolve(Buffer.concat(chunks)))
  doc.on('error', reject)
  return promise
}
