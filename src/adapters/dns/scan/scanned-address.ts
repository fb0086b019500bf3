// Asks one address of a name server: over UDP from one socket, and over TCP for answers that did
// not fit, or for everything if UDP is silent. It keeps to the pace that it is given.
import { createSocket, type Socket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import type { Message } from '../../../dns/message/read-message.ts'
import type { DnsPlace } from '../port.ts'
import { FramedMessages, framed } from './framed-messages.ts'
import {
  answerOf,
  isCut,
  type ScanQuestion,
  type SentQuestion,
  sentQuestion,
} from './scan-question.ts'
import type { SlotPacer } from './slot-pacer.ts'

const udp_tries = 2
const udp_try_ms = 1_500
const tcp_ms = 4_000
/** The cost of a connection that is opened, acknowledged and closed, and of the question. */
const tcp_packets = 4

const rcode = { formerr: 1, notimp: 4 } as const

type Waiting = { sent: SentQuestion; resolve: (answer: Message) => void }
type Opening = { place: DnsPlace; pacer: SlotPacer; signal: AbortSignal }

export class ScannedAddress {
  readonly place: DnsPlace
  readonly #pacer: SlotPacer
  readonly #signal: AbortSignal
  readonly #socket: Socket
  readonly #waiting = new Map<number, Waiting>()
  /** The protocol, or null if it has answered over neither yet. */
  #over: 'udp' | 'tcp' = 'udp'
  #edns = true

  /** The socket, or null if there is no route to the address. */
  static async open({ place, pacer, signal }: Opening): Promise<ScannedAddress | null> {
    const socket = createSocket(isIPv6(place.host) ? 'udp6' : 'udp4')
    const { promise, resolve } = Promise.withResolvers<boolean>()
    // If its machine refuses a packet (ICMP), this counts as silence, and a question is still sent
    // again.
    socket.on('error', () => resolve(false))
    // The socket is connected, so that the system passes on only the answers of this address and
    // port. Without a route, Node calls back with an error that its types do not have.
    socket.connect(place.port, place.host, (error?: Error) => resolve(!error))
    if (await promise) return new ScannedAddress(socket, { place, pacer, signal })
    socket.close()
    return null
  }

  private constructor(socket: Socket, { place, pacer, signal }: Opening) {
    this.place = place
    this.#pacer = pacer
    this.#signal = signal
    this.#socket = socket
    socket.on('message', (bytes) => this.#received(bytes))
  }

  close(): void {
    this.#socket.close()
  }

  /** The whole answer, or null if none arrives in time or none can be believed. */
  async ask(question: ScanQuestion): Promise<Message | null> {
    const answer = this.#over === 'tcp' ? await this.askTcp(question) : await this.askUdp(question)
    return answer && isCut(answer) && this.#over === 'udp' ? await this.askTcp(question) : answer
  }

  /** From now on it is asked over TCP, because it answers over TCP alone. */
  useTcp(): void {
    this.#over = 'tcp'
  }

  /** The answer may be cut. */
  async askUdp(question: ScanQuestion): Promise<Message | null> {
    for (let tried = 0; tried < udp_tries; tried += 1) {
      const answer = await this.#once(question)
      if (!answer) continue
      // This is a server from before EDNS (RFC 6891 section 7).
      const isOld = answer.rcode === rcode.formerr || answer.rcode === rcode.notimp
      if (!isOld || !this.#edns) return answer
      this.#edns = false
      tried -= 1
    }
    return null
  }

  async #once(question: ScanQuestion): Promise<Message | null> {
    await this.#pacer.take(1)
    const sent = this.#unused(question)
    const { promise, resolve } = Promise.withResolvers<Message | null>()
    const timer = setTimeout(resolve, udp_try_ms, null)
    const stop = () => resolve(null)
    this.#signal.addEventListener('abort', stop, { once: true })
    this.#waiting.set(sent.id, { sent, resolve })
    this.#socket.send(sent.octets, () => undefined)
    const answer = await promise
    clearTimeout(timer)
    this.#signal.removeEventListener('abort', stop)
    this.#waiting.delete(sent.id)
    return answer
  }

  #unused(question: ScanQuestion): SentQuestion {
    for (;;) {
      const sent = sentQuestion(question, this.#edns)
      if (!this.#waiting.has(sent.id)) return sent
    }
  }

  #received(bytes: Buffer): void {
    if (bytes.length < 12) return
    const waiting = this.#waiting.get(bytes.readUInt16BE(0))
    const answer = waiting && answerOf(waiting.sent, bytes)
    if (answer) waiting.resolve(answer)
  }

  async askTcp(question: ScanQuestion): Promise<Message | null> {
    const sent = sentQuestion(question, this.#edns)
    for await (const bytes of this.stream(sent, tcp_ms)) return answerOf(sent, bytes)
    return null
  }

  /** The messages that it sends over one connection, until it ends or the time is over. */
  async *stream({ octets }: SentQuestion, limit_ms: number): AsyncGenerator<Buffer> {
    await this.#pacer.take(tcp_packets)
    const { host, port } = this.place
    const socket = connect({ host, port })
    const stop = () => socket.destroy()
    const timer = setTimeout(stop, limit_ms)
    this.#signal.addEventListener('abort', stop, { once: true })
    const messages = new FramedMessages()
    try {
      socket.write(framed(octets))
      for await (const chunk of socket) for (const one of messages.add(chunk)) yield one
    } catch {
      // There was no connection, or it broke, so no further message arrives.
    } finally {
      clearTimeout(timer)
      this.#signal.removeEventListener('abort', stop)
      socket.destroy()
    }
  }
}
