// Messages of a TCP connection, each preceded by its length (RFC 1035 4.2.2). Only one message is
// held at a time, in a buffer that does not grow, so that neither a slow nor a long answer costs
// more.

const most_octets = 2 + 65_535

export class FramedMessages {
  readonly #buffer = Buffer.alloc(most_octets)
  #length = 0

  /** The messages that end in this chunk, each as a copy. */
  add(chunk: Buffer): Buffer[] {
    const ended: Buffer[] = []
    for (let at = 0; at < chunk.length; ) {
      const wanted = this.#length < 2 ? 2 : 2 + this.#buffer.readUInt16BE(0)
      const taken = Math.min(wanted - this.#length, chunk.length - at)
      chunk.copy(this.#buffer, this.#length, at, at + taken)
      this.#length += taken
      at += taken
      if (this.#length < 2 || this.#length < 2 + this.#buffer.readUInt16BE(0)) continue
      ended.push(Buffer.from(this.#buffer.subarray(2, this.#length)))
      this.#length = 0
    }
    return ended
  }
}

/** The message, preceded by its length. */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}
