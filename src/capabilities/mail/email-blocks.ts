// Building blocks of a mail beside paragraphs. Each has a form in plain text and one in HTML, so
// that both parts of a mail come from one template.
import { folded, oneLine, type Words, wrapped } from './email-words.ts'

// With its mark within the 76 characters of a line.
const quote_width = 74

type Kind = 'button' | 'code' | 'quote' | 'item'

/** A part of a mail; made by the functions below. */
export class Block {
  readonly kind: Kind
  readonly text: string
  /** The target of a button. */
  readonly url: string

  constructor(kind: Kind, text: string, url = '') {
    this.kind = kind
    this.text = text
    this.url = url
  }

  /** Its plain text. */
  toString(): string {
    switch (this.kind) {
      case 'button':
        return `${this.text}:\n${this.url}`
      case 'code':
        return this.text
      case 'quote':
        return quoted(this.text)
      case 'item':
        return `- ${this.text}`
    }
  }
}

/** A paragraph, or another part. */
export type MailPart = Words | Block

/** The next step. The link is written out, too: buttons are lost when a mail is forwarded. */
export function button(label: Words, url: string): Block {
  return new Block('button', label.toString(), url)
}

/** A code to copy or to type. */
export function code(value: string): Block {
  return new Block('code', oneLine(value))
}

/** Third-party text on a line of its own, marked: it must not read like our own words. */
export function quote(value: string): Block {
  return new Block('quote', oneLine(value))
}

/** As `quote`, for a text of any length, whose line breaks stay. */
export function quoteLines(value: string): Block {
  return new Block(
    'quote',
    value
      .trim()
      .split(/\r\n?|\n/)
      .map(folded)
      .join('\n'),
  )
}

/** Each line is marked, also where a long one is broken. */
function quoted(text: string): string {
  const lines = text.split('\n').flatMap((line) => wrapped(line, quote_width))
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n')
}

/** A line of a list. */
export function item(line: Words): Block {
  return new Block('item', line.toString())
}
