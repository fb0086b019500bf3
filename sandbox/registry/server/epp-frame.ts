// Frames on the wire: four octets of total length, then XML (RFC 5734 section 4).

const MAX_FRAME_BYTES = 65_536
const HEADER_BYTES = 4

/** The length header is invalid, so nothing after it can be read. */
export class FrameError extends Error {}

/** Reassembles frames from the chunks of a socket. */
export class FrameReader {
  #buffer: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): void {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk])
  }

  /** The content of the next frame, or null if it is not complete yet. @throws FrameError */
  next(): Buffer | null {
    if (this.#buffer.length < HEADER_BYTES) return null
    const length = this.#buffer.readUInt32BE(0)
    if (length <= HEADER_BYTES || length > MAX_FRAME_BYTES) throw new FrameError(`length ${length}`)
    if (this.#buffer.length < length) return null
    const frame = this.#buffer.subarray(HEADER_BYTES, length)
    this.#buffer = this.#buffer.subarray(length)
    return frame
  }

  /** True when the bytes so far end inside a frame. */
  get cut(): boolean {
    return this.#buffer.length > 0
  }
}

export function encodeFrame(text: string): Buffer {
  const size = HEADER_BYTES + Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(size)
  frame.writeUInt32BE(size, 0)
  frame.write(text, HEADER_BYTES)
  return frame
}
