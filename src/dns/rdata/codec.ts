// The codec of a type: its RDATA as a list of fields, each of which is read from words and from
// octets, so that validation, canonical octets and canonical text all follow from one list.
import { DnsProblem, quoted } from '../problem.ts'
import { type Word, writtenAs } from '../words.ts'
import type { Wire } from './wire.ts'

/**
 * How names are interpreted. `api`: as people paste them into a form. `zone_file`: by RFC 1035
 * section 5.1. `origin` is the zone's name, or in a file that of the last $ORIGIN, as in
 * `parseName`.
 */
export type How = { names: 'api' | 'zone_file'; origin: string }

/** `target` is the name that the field points to, or none if it is the root. */
type Taken = { bytes: Buffer; text: string; target?: string }

export type Field = {
  /** Its name in a problem, such as "preference". */
  what: string
  /** Reads its octets from the next word or words. Throws a DnsProblem. */
  read(words: Words): Buffer
  /** Reads its canonical octets and text from the next octets. Throws a DnsProblem. */
  take(wire: Wire): Taken
}

export type Codec = {
  /** The name of the type that files may use although its records are written by RFC 3597. */
  name?: string
  fields: readonly Field[]
  /** An example of a whole value, for the sentences of problems. */
  example: string
  /** Checks rules beyond single fields, and throws a DnsProblem. The octets are canonical. */
  check?(rdata: Buffer): void
  /** Replaces the fields for a text of the API, as people paste it. */
  paste?(text: string, how: How): Buffer
  /** Refuses values that are legal but are mistakes of the person typing. Throws a DnsProblem. */
  doubt?(rdata: Buffer): void
}

/** The words of a value in their order, and the value with one of them repaired. */
export class Words {
  readonly how: How
  readonly #words: readonly Word[]
  #at = 0

  constructor(words: readonly Word[], how: How) {
    this.#words = words
    this.how = how
  }

  next(what: string): Word {
    const word = this.#words[this.#at]
    if (!word) throw new DnsProblem(`Its ${what} is missing.`)
    this.#at += 1
    return word
  }

  /** The next word. */
  get peek(): Word | undefined {
    return this.#words[this.#at]
  }

  get left(): number {
    return this.#words.length - this.#at
  }

  /** The whole value, in which the word or words that were read last are replaced. */
  repairedWith(text: string, count = 1): string {
    const before = this.#words.slice(0, this.#at - count)
    return [...before.map(writtenAs), text, ...this.#words.slice(this.#at).map(writtenAs)].join(' ')
  }

  assertEnd(): void {
    const more = this.#words[this.#at]
    if (more) throw new DnsProblem(`After its end comes ${quoted(writtenAs(more))}.`)
  }
}

/** The canonical octets, text and targets of the RDATA at the cursor. */
export function takeAll(codec: Codec, wire: Wire): { bytes: Buffer[]; taken: Taken[] } {
  const taken = codec.fields.map((field) => field.take(wire))
  if (wire.left > 0) throw new DnsProblem(`It has ${wire.left} octets after its end.`)
  return { bytes: taken.map(({ bytes }) => bytes), taken }
}
