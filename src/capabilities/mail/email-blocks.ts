// Building blocks of a mail beside paragraphs. Each has a form in plain text and one in HTML, so
// that both parts of a mail come from one template.
import { oneLine, type Words } from './email-words.ts'

type Kind = 'button' | 'code' | 'quote' | 'item'

/** A part of a mail; made by the functions below. */
export class Block {
  readonly kind: Kind
  readonly text: string
  /** Of a button. */
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
        return `> ${this.text}`
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

/** A line of a list. */
export function item(line: Words): Block {
  return new Block('item', line.toString())
}
