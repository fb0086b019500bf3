// Writes a DNS message (RFC 1035 4.1) record by record, so that its length is known before each,
// and a caller can leave out records that do not fit. Owner names are compressed, and names in
// RDATA only where every reader must understand that (RFC 3597 part 4).

import { compressible, endOfName } from './wire-names.ts'

/** A record on the wire. Pseudo-records (OPT, TSIG) use class and TTL for other purposes. */
export type WireRecord = {
  /** The name in wire form, not compressed and with its root label. Its case is kept. */
  name: Buffer
  type: number
  /** The class, IN by default. */
  class?: number
  ttl: number
  /** The RDATA in wire form, not compressed. */
  rdata: Buffer
}
type MessageHead = {
  id: number
  /** All 16 bits after the id: QR, opcode, AA, TC, RD, RA, AD, CD and RCODE. */
  flags: number
  /**
   * The octets of the one question, repeated exactly (including their case), or empty if there is
   * no question.
   */
  question: Buffer
}
type Section = 'answer' | 'authority' | 'additional'

const header = 12
const most = 65_535
const order = ['answer', 'authority', 'additional'] as const satisfies readonly Section[]
/** Pointers have 14 bits. */
const pointers_end = 0x4000
const classIn = 1

/**
 * A message that grows up to a limit of octets. Sections are filled in the order of the message;
 * a section is closed by the first record of a later one.
 */
export class MessageWriter {
  readonly #limit: number
  readonly #counts = { answer: 0, authority: 0, additional: 0 }
  /**
   * The places of suffixes of names to which pointers can lead, in the order in which they were
   * written.
   */
  readonly #places = new Map<string, number>()
  #section: Section = 'answer'
  #bytes: Buffer
  #length: number

  /** `limit` is the most octets of the message, including its header. */
  constructor({ id, flags, question }: MessageHead, limit: number = most) {
    this.#limit = Math.min(limit, most)
    this.#bytes = Buffer.alloc(Math.max(512, header + question.length))
    this.#bytes.writeUInt16BE(id, 0)
    this.#bytes.writeUInt16BE(flags, 2)
    this.#bytes.writeUInt16BE(question.length > 0 ? 1 : 0, 4)
    this.#bytes.set(question, header)
    this.#length = header + question.length
    const end = endOfName(question, 0)
    if (end !== undefined)
      this.#keepPlaces(question.subarray(0, end), { start: header, end: end - 1 })
  }

  get length(): number {
    return this.#length
  }

  /**
   * Adds all of these records, or none if the message would be larger than its limit less
   * `reserved`. Returns whether they were added.
   */
  add(section: Section, records: readonly WireRecord[], reserved = 0): boolean {
    if (order.indexOf(section) < order.indexOf(this.#section))
      throw new Error(`a record of the ${section} section after one of the ${this.#section}`)
    const before = this.#length
    for (const record of records) this.#record(record)
    if (this.#length > this.#limit - reserved) {
      this.#backTo(before)
      return false
    }
    this.#section = records.length > 0 ? section : this.#section
    this.#counts[section] += records.length
    return true
  }

  /** Sets bits of the flags (RFC 1035 4.1.1), such as 0x0200 for TC. */
  setFlags(bits: number): void {
    this.#bytes.writeUInt16BE(this.#bytes.readUInt16BE(2) | bits, 2)
  }

  /** The message so far; more may be added afterwards. */
  finish(): Buffer {
    order.forEach((section, at) => {
      this.#bytes.writeUInt16BE(this.#counts[section], 6 + 2 * at)
    })
    return Buffer.from(this.#bytes.subarray(0, this.#length))
  }

  #record({ name, type, class: of = classIn, ttl, rdata }: WireRecord): void {
    this.#name(name)
    const fixed = Buffer.alloc(10)
    fixed.writeUInt16BE(type, 0)
    fixed.writeUInt16BE(of, 2)
    fixed.writeUInt32BE(ttl, 4)
    this.#put(fixed)
    const start = this.#length
    this.#rdata(type, rdata)
    const size = this.#length - start
    if (size > most) throw new Error(`an RDATA of ${size} octets`)
    this.#bytes.writeUInt16BE(size, start - 2)
  }

  #rdata(type: number, rdata: Buffer): void {
    const { before, names } = compressible.get(type) ?? { before: rdata.length, names: 0 }
    this.#put(rdata.subarray(0, before))
    let at = before
    for (let i = 0; i < names; i += 1) {
      const end = endOfName(rdata, at)
      // There is no name, so nothing may be compressed.
      if (end === undefined) break
      this.#name(rdata.subarray(at, end))
      at = end
    }
    this.#put(rdata.subarray(at))
  }

  /** The name, whose longest suffix that was written before becomes a pointer. */
  #name(name: Buffer): void {
    const start = this.#length
    let end = 0
    let place: number | undefined
    for (; name[end]; end += 1 + (name[end] ?? 0)) {
      place = this.#places.get(name.toString('latin1', end))
      if (place !== undefined) break
    }
    this.#put(name.subarray(0, end))
    this.#put(Buffer.from(place === undefined ? [0] : [0xc0 | (place >> 8), place & 255]))
    this.#keepPlaces(name, { start, end })
  }

  /** The suffixes that begin before `end` of a name that was written at `start`. */
  #keepPlaces(name: Buffer, { start, end }: { start: number; end: number }): void {
    for (let at = 0; at < end; at += 1 + (name[at] ?? 0))
      if (start + at < pointers_end) this.#places.set(name.toString('latin1', at), start + at)
  }

  #put(octets: Buffer): void {
    const length = this.#length + octets.length
    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(2 * this.#bytes.length, length))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    this.#bytes.set(octets, this.#length)
    this.#length = length
  }

  /** Takes back everything that was written since, with the places in it. */
  #backTo(length: number): void {
    this.#length = length
    for (const [suffix, place] of [...this.#places].reverse()) {
      if (place < length) break
      this.#places.delete(suffix)
    }
  }
}
