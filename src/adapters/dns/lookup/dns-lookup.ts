// Asks a name server for one record set as a resolver would: over UDP, and again over TCP if the
// answer did not fit.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import { type ReadRecord, readRecords } from '../../../dns/message/read-records.ts'
import { MessageWriter } from '../../../dns/message/write-message.ts'
import { nameToWire } from '../../../dns/name.ts'
import { rrType } from '../../../dns/types.ts'
import type { DnsPlace, Served, ServerAnswer } from '../port.ts'
import { classIn } from '../rcodes.ts'
import { nameOf } from '../stored-names.ts'

const tries = 3
const try_ms = 400
const udp_size = 1232

type Asked = { id: number; name: Buffer; type: number; question: Buffer }

/**
 * The set that the server has for a name and a type, in whatever section, because that of a
 * delegation is not an answer. It is null without an answer within 1.2 s (UDP may lose two of the
 * three questions), and within as long again if the question is repeated over TCP.
 */
export async function askSet(place: DnsPlace, name: string, type: number): Promise<Served | null> {
  const answer = await askServer(place, name, type)
  return answer && { rcode: answer.rcode, ttl: answer.ttl, rdata: answer.rdata }
}

/** The same set with the AA flag, which says whether the server is authoritative for the zone. */
export async function askServer(
  place: DnsPlace,
  name: string,
  type: number,
): Promise<ServerAnswer | null> {
  const wire = nameToWire(name.toLowerCase())
  const fixed = Buffer.alloc(4)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(classIn, 2)
  const question = Buffer.concat([wire, fixed])
  const asked = { id: randomInt(65_536), name: wire, type, question }
  const over = await askUdp(place, asked)
  const answer = over && isTruncated(over) ? await askTcp(place, asked) : over
  return answer && servedIn(answer, asked)
}

/**
 * The first IPv4 address that the server has for a name, or null if it has none or does not answer.
 */
export async function askAddress(place: DnsPlace, name: string): Promise<string | null> {
  const [first] = (await askSet(place, name, rrType.a))?.rdata ?? []
  return first?.length === 4 ? first.join('.') : null
}

function messageOf({ id, question }: Asked): Buffer {
  const writer = new MessageWriter({ id, flags: 0, question })
  const none = Buffer.alloc(0)
  const opt = { name: Buffer.alloc(1), type: rrType.opt, class: udp_size, ttl: 0, rdata: none }
  writer.add('additional', [opt])
  return writer.finish()
}

async function askUdp(place: DnsPlace, asked: Asked): Promise<Buffer | null> {
  const socket = createSocket(isIPv6(place.host) ? 'udp6' : 'udp4')
  return await new Promise<Buffer | null>((resolve) => {
    let sent = 0
    let timer: NodeJS.Timeout | undefined
    const finish = (value: Buffer | null) => {
      clearInterval(timer)
      socket.close()
      resolve(value)
    }
    const ask = () => {
      if (sent === tries) return finish(null)
      sent += 1
      socket.send(messageOf(asked))
    }
    socket.on('error', () => {
      // Once the socket is connected, the machine may refuse a packet (ICMP). The server may only
      // be starting, so the next question is still sent.
      if (sent === 0) finish(null)
    })
    socket.on('message', (bytes) => {
      if (isAnswer(bytes, asked)) finish(bytes)
    })
    // The socket is connected, so that it only receives answers of this server. Without a route,
    // Node calls back with an error that its types do not have.
    socket.connect(place.port, reachable(place.host), (error?: Error) => {
      if (error) return finish(null)
      timer = setInterval(ask, try_ms)
      ask()
    })
  })
}

async function askTcp(place: DnsPlace, asked: Asked): Promise<Buffer | null> {
  const socket = connect(place.port, reachable(place.host))
  const timer = setTimeout(() => socket.destroy(), tries * try_ms)
  const message = messageOf(asked)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  socket.write(Buffer.concat([length, message]))
  let received: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) continue
      const answer = received.subarray(2, 2 + received.readUInt16BE(0))
      return isAnswer(answer, asked) ? answer : null
    }
    return null
  } catch {
    // No connection was made, or it broke, so there is no answer.
    return null
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** The address "every address" cannot be sent to. */
function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
}

function isAnswer(bytes: Buffer, { id, question }: Asked): boolean {
  return (
    bytes.length >= 12 + question.length &&
    bytes.readUInt16BE(0) === id &&
    bytes.readUInt16BE(2) >= 0x8000 &&
    bytes.readUInt16BE(4) === 1 &&
    bytes.subarray(12, 12 + question.length).equals(question)
  )
}

function isTruncated(bytes: Buffer): boolean {
  return (bytes.readUInt16BE(2) & 0x0200) !== 0
}

/** The message, or null if the answer cannot be read. */
function servedIn(bytes: Buffer, { name, type, question }: Asked): ServerAnswer | null {
  const records = readRecords(bytes, 12 + question.length)
  if (!records) return null
  const own = nameOf(name)
  const isOwn = (one: ReadRecord) => one.type === type && nameOf(one.name) === own
  const set = records.filter(isOwn)
  const flags = bytes.readUInt16BE(2)
  return {
    ...{ rcode: flags & 15, authoritative: (flags & 0x0400) !== 0 },
    ...{ ttl: set[0]?.ttl ?? 0, rdata: set.map(({ rdata }) => rdata) },
  }
}
