// One TLS connection that carries frames, with at most one answer awaited. It tracks whether bytes
// have left, and knows nothing about EPP commands. A frame is a length of 4 octets that counts
// itself, followed by the XML (RFC 5734 section 4).
import { connect, type TLSSocket } from 'node:tls'
import { EppError, type EppFailure, GarbageInput, type Sent } from '../errors.ts'

const header_bytes = 4

/**
 * The most octets that we accept in one answer, and in a greeting (which arrives before we know the
 * server).
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

/** Assembles chunks of a stream into data units. It holds at most one unit and one chunk. */
export class FrameReader {
  #chunks: Buffer[] = []
  #held_bytes = 0
  #wanted_bytes = header_bytes
  #length: number | null = null

  /** The bytes of a unit that has begun and not ended. */
  get pending_bytes(): number {
    return this.#held_bytes
  }

  /**
   * Takes the next chunk, and returns the payloads that it completes. Throws GarbageInput if a
   * header announces less than one octet of payload or more than the limit.
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

/**
 * PEM material, or null to leave the part out. With `servername` null, the certificate must have
 * the host's own name.
 */
export type TlsMaterial = {
  ca: Buffer | null
  cert: Buffer | null
  key: Buffer | null
  servername: string | null
}
export type Target = { host: string; port: number; tls: TlsMaterial; timeout_ms: number }

export type Step = 'connected' | 'half_frame_written' | 'frame_written' | 'reply_read'
/** `at` is called synchronously. Only with `half_frames`, a frame is sent in two parts. */
export type Steps = { at: (step: Step) => void; half_frames: boolean }

type Waiter = {
  resolve: (payload: Buffer) => void
  reject: (error: EppError) => void
  timer: NodeJS.Timeout
}

export class Channel {
  readonly #socket: TLSSocket
  readonly #reader = new FrameReader()
  #limit_bytes = greeting_limit_bytes
  #waiter: Waiter | null = null
  #unasked: Buffer[] = []
  #sent: Sent = 'not_sent'
  #reason = ''
  #open = true
  /** Called once, when the connection is over for whatever reason. */
  ended: () => void = () => {}

  constructor(socket: TLSSocket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => {
      this.#reason = error.message
    })
    socket.on('end', () => socket.destroy())
    socket.on('close', () => {
      const cut = this.#reader.pending_bytes > 0 ? ' inside a frame' : ''
      this.#end('closed', this.#reason || `Connection closed${cut}`)
    })
  }

  get open(): boolean {
    return this.#open
  }

  /** The first frame, which the server sends without a request. */
  async greeting(timeout_ms: number): Promise<Buffer> {
    const early = this.#unasked.shift()
    const payload = early ?? (await this.#answer(timeout_ms))
    this.#limit_bytes = answer_limit_bytes
    return payload
  }

  /**
   * Writes one frame and waits for one. Rejects with EppError: `not_sent` if nothing was written,
   * or else `maybe_sent`, after which the channel is dead.
   */
  exchange(xml: string, timeout_ms: number, steps: Steps | null): Promise<Buffer> {
    if (!this.#open) return Promise.reject(new EppError('closed', this.#reason || 'Closed before'))
    if (this.#unasked.length > 0) {
      this.#end('mismatch', 'The server sent a frame without a command')
      return Promise.reject(new EppError('mismatch', 'The server sent a frame without a command'))
    }
    const frame = encodeFrame(xml)
    const answer = this.#answer(timeout_ms)
    this.#sent = 'maybe_sent'
    if (!steps) {
      this.#socket.write(frame)
      return answer
    }
    return this.#writeInSteps(frame, steps, answer)
  }

  /** Ends the connection now. An awaited answer is rejected. */
  destroy(reason = 'Closed by us'): void {
    this.#end('closed', reason)
  }

  async #writeInSteps(frame: Buffer, steps: Steps, answer: Promise<Buffer>): Promise<Buffer> {
    let written = false
    const report = (step: Step) => {
      try {
        steps.at(step)
      } catch (error) {
        this.#end('closed', `Stopped at ${step}`, error)
      }
    }
    // The kernel may deliver an answer before it reports that the last bytes went out.
    const reportWritten = () => {
      if (!written) report('frame_written')
      written = true
    }
    if (steps.half_frames) {
      const half = frame.length >> 1
      this.#socket.write(frame.subarray(0, half), (error) => {
        if (error) return
        report('half_frame_written')
        if (this.#open) this.#socket.write(frame.subarray(half), (e) => e || reportWritten())
      })
    } else {
      this.#socket.write(frame, (error) => error || reportWritten())
    }
    const payload = await answer
    reportWritten()
    return payload
  }

  #answer(timeout_ms: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (!this.#open) {
        reject(new EppError('closed', this.#reason || 'Connection closed', { sent: this.#sent }))
        return
      }
      const timer = setTimeout(() => {
        this.#end('timeout', `No whole answer within ${timeout_ms} ms`)
      }, timeout_ms)
      this.#waiter = { resolve, reject, timer }
    })
  }

  #take(chunk: Buffer): void {
    if (!this.#open) return
    try {
      for (const payload of this.#reader.push(chunk, this.#limit_bytes)) this.#deliver(payload)
    } catch (error) {
      if (!(error instanceof GarbageInput)) throw error
      this.#end('garbage', error.message)
    }
  }

  #deliver(payload: Buffer): void {
    const waiter = this.#waiter
    if (waiter) {
      this.#waiter = null
      clearTimeout(waiter.timer)
      this.#sent = 'not_sent'
      waiter.resolve(payload)
    } else if (this.#unasked.length > 0) this.#end('mismatch', 'The server speaks unasked')
    else this.#unasked.push(payload)
  }

  #end(failure: EppFailure, reason: string, cause?: unknown): void {
    if (!this.#open) return
    this.#open = false
    this.#reason = reason
    this.#socket.destroy()
    const waiter = this.#waiter
    this.#waiter = null
    if (waiter) {
      clearTimeout(waiter.timer)
      waiter.reject(new EppError(failure, reason, { sent: this.#sent, cause }))
    }
    this.ended()
  }
}

/**
 * Connects with TLS 1.2 or newer and the client's certificate. Rejects with EppError `unreachable`.
 */
export function openChannel({ host, port, tls, timeout_ms }: Target): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      minVersion: 'TLSv1.2',
      ...(tls.ca && { ca: tls.ca }),
      ...(tls.cert && { cert: tls.cert }),
      ...(tls.key && { key: tls.key }),
      ...(tls.servername !== null && { servername: tls.servername }),
    })
    socket.setNoDelay(true)
    const fail = (reason: string, cause?: unknown) => {
      clearTimeout(timer)
      socket.destroy()
      reject(new EppError('unreachable', `${host}:${port}: ${reason}`, { cause }))
    }
    const timer = setTimeout(() => fail(`no TLS within ${timeout_ms} ms`), timeout_ms)
    const onError = (error: Error) => fail(error.message, error)
    const onClose = () => fail('closed before TLS was up')
    socket.once('error', onError)
    socket.once('close', onClose)
    socket.once('secureConnect', () => {
      clearTimeout(timer)
      socket.off('close', onClose)
      // The channel's listener is added first, because an error must never be without one.
      resolve(new Channel(socket))
      socket.off('error', onError)
    })
  })
}
