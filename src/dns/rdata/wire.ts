// A cursor over the octets of one record's RDATA, alone or within a message.
import { expandName, lowerCase } from '../name.ts'
import { DnsProblem } from '../problem.ts'

export class Wire {
  readonly #bytes: Buffer
  readonly #end: number
  readonly #pointers: boolean
  #at: number

  /** `within` is the message in which the RDATA is, and whose names may be compressed. */
  constructor(bytes: Buffer, within?: { at: number; end: number }) {
    this.#bytes = bytes
    this.#at = within?.at ?? 0
    this.#end = within?.end ?? bytes.length
    this.#pointers = within !== undefined
  }

  get left(): number {
    return this.#end - this.#at
  }

  take(length: number, what: string): Buffer {
    if (length > this.left) throw new DnsProblem(`The data ends before the end of its ${what}.`)
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  rest(): Buffer {
    return this.take(this.left, 'rest')
  }

  /** A name in lower case and without compression (RFC 4034 section 6.2). */
  name(): Buffer {
    const { wire, end } = expandName(this.#bytes, {
      at: this.#at,
      end: this.#end,
      pointers: this.#pointers,
    })
    this.#at = end
    return lowerCase(wire)
  }
}
