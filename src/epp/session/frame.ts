// EPP's framing over TCP (RFC 5734 section 4): a 4-octet length that counts itself, then the XML.
import { GarbageInput } from '../errors.ts'

const header_bytes = 4

/**
 * The most that we take in one answer, and in a greeting (which comes before we know who speaks).
 */
export const answer_limit_bytes = 1024 * 1024
export const greeting_limit_bytes = 64 * 1024

/** One data unit, ready to write. */
export function encodeFrame(xml: string): Buffer {
  const length = Buffer.byteLength(xml) + header_bytes
  const frame = Buffer.allocUnsafe(length)
  frame.writeUInt32BE(length, 0)
  frame.write(xml, header_bytes)
  return frame
}

/** Puts chunks of a stream together into data units. Holds at most one unit and a chunk. */
export class FrameReader {
  #chunks: Buffer[] = []
  #held_bytes = 0
  #wanted_bytes = header_bytes
  #length: number | null = null

  /** Bytes of a unit that has begun and not ended. */
  get pending_bytes(): number {
    return this.#held_bytes
  }

  /**
   * Takes the next chunk and gives the payloads that it completes. Throws GarbageInput at a header
   * that says less than one octet of payload or more than the limit.
   */
  push(chunk: Buffer, limit_bytes: number): Buffer[] {
    this.#chunks.push(chunk)
    this.#held_bytes += chunk.length
    const payloads: Buffer[] = []
    while (this.#held_bytes >= this.#wanted_bytes) {
      const part = this.#take(this.#wanted_bytes)
      if (this.#length === null) {
        this.#length = part.readUInt32BE(0)
        if (this.#length <= header_bytes || this.#length > limit_bytes) {
          throw new GarbageInput(`Frame length ${this.#length} is outside 5..${limit_bytes}`)
        }
        this.#wanted_bytes = this.#length - header_bytes
      } else {
        payloads.push(part)
        this.#length = null
        this.#wanted_bytes = header_bytes
      }
    }
    return payloads
  }

  #take(size: number): Buffer {
    const first = this.#chunks[0]
    const whole =
      this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#held_bytes)
    const rest = whole.subarray(size)
    this.#chunks = rest.length > 0 ? [rest] : []
    this.#held_bytes = rest.length
    return whole.subarray(0, size)
  }
}
