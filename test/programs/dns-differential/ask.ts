// Sends many questions to one name server over one UDP socket, and over TCP for answers that did
// not fit. The answers are lines that can be compared.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { readRecords } from '../../../src/dns/message/read-records.ts'
import { MessageWriter } from '../../../src/dns/message/write-message.ts'
import { lowerCase, textOf } from '../../../src/dns/name.ts'
import { checkRdata } from '../../../src/dns/rdata/rdata.ts'
import { fileTypeName, rrType } from '../../../src/dns/types.ts'

export type Place = { host: string; port: number }
/** `edns` is the size that the client accepts, or null without EDNS. */
export type Query = {
  name: Buffer
  type: number
  recursion_desired: boolean
  edns: number | null
}
export type Answered = {
  rcode: number
  /** The flags among AA, TC, RD and RA that are set. */
  flags: string[]
  /** Records as "name TTL type data", in the order of the message. */
  answer: string[]
  authority: string[]
  additional: string[]
  octets: number
}

const flagBits = { aa: 0x0400, tc: 0x0200, rd: 0x0100, ra: 0x0080 }
const sections = ['answer', 'authority', 'additional'] as const
const tries = 5
const try_ms = 2_000

type Waiting = Map<number, (answer: Buffer) => void>

const waiting = (): Waiting => new Map()

/** A client of one server, with many questions at once on one socket and one connection. */
export class Client {
  readonly #udp: UdpSocket
  readonly #tcp: Socket
  readonly #waiting = { udp: waiting(), tcp: waiting() }
  #id = 0

  static async to(place: Place): Promise<Client> {
    const udp = createSocket('udp4')
    udp.connect(place.port, place.host)
    const tcp = connect(place.port, place.host)
    try {
      await Promise.all([once(udp, 'connect'), once(tcp, 'connect')])
      return new Client(udp, tcp)
    } catch (error) {
      udp.close()
      tcp.destroy()
      throw error
    }
  }

  private constructor(udp: UdpSocket, tcp: Socket) {
    this.#udp = udp
    this.#tcp = tcp
    udp.on('error', () => undefined)
    udp.on('message', (answer) => this.#received('udp', answer))
    let received = Buffer.alloc(0)
    tcp.on('error', () => undefined)
    tcp.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const size = received.readUInt16BE(0)
        this.#received('tcp', received.subarray(2, 2 + size))
        received = received.subarray(2 + size)
      }
    })
  }

  close(): void {
    this.#udp.close()
    this.#tcp.destroy()
  }

  /** Asks again if an answer is lost. */
  async overUdp(query: Query): Promise<Answered> {
    for (let tried = 0; tried < tries; tried += 1) {
      const answer = await this.#ask('udp', query)
      if (answer) return readAnswer(answer)
    }
    throw new Error(`no answer over UDP to ${textOf(query.name)}`)
  }

  async overTcp(query: Query): Promise<Answered> {
    const answer = await this.#ask('tcp', query)
    if (!answer) throw new Error(`no answer over TCP to ${textOf(query.name)}`)
    return readAnswer(answer)
  }

  async #ask(transport: 'udp' | 'tcp', query: Query): Promise<Buffer | null> {
    this.#id = (this.#id + 1) & 0xffff
    const id = this.#id
    const message = writeQuery(query, id)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(message.length)
    return await new Promise<Buffer | null>((resolve) => {
      const finish = (answer: Buffer | null) => {
        clearTimeout(timer)
        this.#waiting[transport].delete(id)
        resolve(answer)
      }
      const timer = setTimeout(finish, try_ms, null)
      this.#waiting[transport].set(id, finish)
      if (transport === 'udp') this.#udp.send(message)
      else this.#tcp.write(Buffer.concat([length, message]))
    })
  }

  #received(transport: 'udp' | 'tcp', answer: Buffer): void {
    if (answer.length >= 12) this.#waiting[transport].get(answer.readUInt16BE(0))?.(answer)
  }
}

/** One question to a server that need not answer over TCP, repeated if an answer is lost. */
export async function overUdpAlone({ host, port }: Place, query: Query): Promise<Answered> {
  const socket = createSocket('udp4')
  socket.connect(port, host)
  await once(socket, 'connect')
  const answered = once(socket, 'message')
  const send = () => socket.send(writeQuery(query, 1))
  const timer = setInterval(send, try_ms)
  send()
  const [answer] = await answered
  clearInterval(timer)
  socket.close()
  return readAnswer(answer)
}

function writeQuery({ name, type, recursion_desired, edns }: Query, id: number): Buffer {
  const fixed = Buffer.alloc(4)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  const question = Buffer.concat([name, fixed])
  const writer = new MessageWriter({ id, flags: recursion_desired ? flagBits.rd : 0, question })
  const none = { name: Buffer.alloc(1), ttl: 0, rdata: Buffer.alloc(0) }
  if (edns !== null) writer.add('additional', [{ ...none, type: rrType.opt, class: edns }])
  return writer.finish()
}

function readAnswer(bytes: Buffer): Answered {
  const flags = bytes.readUInt16BE(2)
  const records = readRecords(bytes, questionEnd(bytes))
  if (!records) throw new Error(`an answer that cannot be read: ${bytes.toString('hex')}`)
  let at = 0
  const [answer = [], authority = [], additional = []] = sections.map((_, section) => {
    const count = bytes.readUInt16BE(6 + 2 * section)
    at += count
    return records.slice(at - count, at).flatMap((one) => {
      if (one.type === rrType.opt) return []
      const checked = checkRdata(one.type, one.rdata)
      const data = 'problem' in checked ? `broken ${one.rdata.toString('hex')}` : checked.rdata
      const owner = textOf(lowerCase(one.name))
      return [`${owner} ${one.ttl} ${fileTypeName(one.type)} ${data.toString('hex')}`]
    })
  })
  return {
    rcode: flags & 15,
    flags: Object.entries(flagBits).flatMap(([name, bit]) => (flags & bit ? [name] : [])),
    answer,
    authority,
    additional,
    octets: bytes.length,
  }
}

function questionEnd(bytes: Buffer): number {
  if (bytes.readUInt16BE(4) === 0) return 12
  let at = 12
  while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0)
  return at + 5
}
