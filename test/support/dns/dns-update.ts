// A client of DNS updates (RFC 2136) and zone transfers that writes their octets itself, also ones
// that no program sends.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type Message, readMessage } from '../../../src/dns/message/read-message.ts'
import { signRequest } from '../../../src/dns/message/tsig.ts'
import { MessageWriter, type WireRecord } from '../../../src/dns/message/write-message.ts'
import { nameToWire } from '../../../src/dns/name.ts'
import { readRdata } from '../../../src/dns/rdata/rdata.ts'
import { rrType, typeNumber } from '../../../src/dns/types.ts'

type Place = { host: string; port: number }
/** As the answer that creates a key gives it. */
export type GivenKey = {
  key: { name: string; algorithm: 'hmac-sha256' | 'hmac-sha512' }
  secret: string
}
type Change = {
  prerequisites?: readonly string[]
  updates?: readonly string[]
  zone_class?: number
}

const classes: Readonly<Record<string, number>> = { IN: 1, NONE: 254, ANY: 255 }
const types: Readonly<Record<string, number>> = { SOA: rrType.soa, ANY: rrType.any, AXFR: 252 }
let id = 0

/** "www.example.com 60 IN A 192.0.2.1", "www.example.com 0 ANY A", in any class. */
export function recordOf(text: string): WireRecord {
  const [name = '', ttl, of = '', type = '', ...value] = text.split(' ')
  const number = types[type] ?? typeNumber(type) ?? 0
  const head = { name: nameToWire(name), type: number, class: classes[of] ?? Number(of) }
  if (value.length === 0) return { ...head, ttl: Number(ttl), rdata: Buffer.of() }
  const read = readRdata(number, value.join(' '), { names: 'api', origin: 'invalid' })
  assert.ok('rdata' in read, JSON.stringify(read))
  return { ...head, ttl: Number(ttl), rdata: read.rdata }
}

function questionOf(name: string, type: number, of = 1): Buffer {
  return Buffer.concat([nameToWire(name), Buffer.of(0, type, of >> 8, of & 255)])
}

function nextId(): number {
  id = (id + 1) % 65_536
  return id
}

/** An update without a signature. */
export function updateOf(zone: string, change: Change): Buffer {
  const question = questionOf(zone, rrType.soa, change.zone_class)
  const writer = new MessageWriter({ id: nextId(), flags: 5 << 11, question })
  for (const one of change.prerequisites ?? []) writer.add('answer', [recordOf(one)])
  for (const one of change.updates ?? []) writer.add('authority', [recordOf(one)])
  return writer.finish()
}

export function transferOf(zone: string): Buffer {
  return new MessageWriter({ id: nextId(), flags: 0, question: questionOf(zone, 252) }).finish()
}

/** `ago_s`: that long before now. */
export function signed(message: Buffer, { key, secret }: GivenKey, ago_s = 0): Buffer {
  const { name, algorithm } = key
  const now_s = Math.floor(Date.now() / 1000) - ago_s
  return signRequest(message, { name, algorithm, secret: Buffer.from(secret, 'base64') }, now_s)
}

/** The octets of the answer; sent again until one comes, as clients do. */
export async function overUdp(bytes: Buffer, { host, port }: Place): Promise<Buffer> {
  const socket = createSocket('udp4')
  socket.connect(port, host)
  await once(socket, 'connect')
  const answered = once(socket, 'message')
  const timer = setInterval(() => socket.send(bytes), 1_000)
  socket.send(bytes)
  const [answer] = await answered
  clearInterval(timer)
  socket.close()
  return answer
}

/** The first message of the answer; empty where the server ends the connection instead. */
export async function overTcp(bytes: Buffer, { host, port }: Place): Promise<Buffer> {
  const socket = connect(port, host)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  socket.write(Buffer.concat([length, bytes]))
  let received = Buffer.alloc(0)
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk])
    if (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) break
  }
  socket.destroy()
  return received.length < 2 ? received : received.subarray(2, 2 + received.readUInt16BE(0))
}

export type Answered = { rcode: number; isSigned: boolean; message: Message }

export function answered(bytes: Buffer): Answered {
  const message = readMessage(bytes)
  assert.ok(!('problem' in message), JSON.stringify(message))
  const { rcode, tsig } = message
  return { rcode, isSigned: tsig !== null && tsig.error === 0 && tsig.mac.length >= 32, message }
}
