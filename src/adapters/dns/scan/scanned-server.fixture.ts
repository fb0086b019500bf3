// Test fixture: a name server on real sockets whose answers, right or wrong, are written by a test.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { readMessage } from '../../../dns/message/read-message.ts'
import { MessageWriter, type WireRecord } from '../../../dns/message/write-message.ts'
import { nameToWire } from '../../../dns/name.ts'
import { readRdata } from '../../../dns/rdata/rdata.ts'
import { fileTypeNumber, rrType } from '../../../dns/types.ts'
import type { DnsPlace } from '../port.ts'
import { FramedMessages, framed } from './framed-messages.ts'

export type AskedServer = {
  name: string
  type: number
  over: 'udp' | 'tcp'
  id: number
  /** The octets of the question. */
  question: Buffer
}
type Replying = (
  asked: AskedServer,
) => readonly Buffer[] | Promise<readonly Buffer[]> | AsyncIterable<Buffer>

export type ServerOfTest = {
  place: DnsPlace
  /** A line such as "udp www.example.com 1" for every question, in order. */
  asked: string[]
  /** The time of each UDP packet, in milliseconds of this process. */
  times: number[]
  close: () => Promise<void>
}

/** Opens UDP and TCP at one free port. */
export async function startServerOfTest(reply: Replying): Promise<ServerOfTest> {
  const asked: string[] = []
  const times: number[] = []
  const read = (bytes: Buffer, over: 'udp' | 'tcp'): AskedServer | null => {
    const message = readMessage(bytes)
    const question = 'questions' in message ? message.questions[0] : undefined
    if (!question || !('id' in message)) return null
    asked.push(`${over} ${question.name} ${question.type}`)
    const { name, type, octets } = question
    return { name, type, over, id: message.id, question: octets }
  }
  const sockets = new Set<Socket>()
  const serve = async (socket: Socket) => {
    const messages = new FramedMessages()
    for await (const chunk of socket)
      for (const bytes of messages.add(chunk)) {
        const one = read(bytes, 'tcp')
        const answers = one ? await reply(one) : []
        for await (const answer of answers) {
          if (socket.destroyed) return
          socket.write(answer)
        }
      }
  }
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)))
    // A scan cuts off anything that takes too long.
    serve(socket).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const udp = createSocket('udp4')
  let isOpen = true
  udp.on('message', async (bytes, from) => {
    times.push(performance.now())
    const one = read(bytes, 'udp')
    for await (const answer of one ? await reply(one) : [])
      if (isOpen) udp.send(answer, from.port, from.address, () => undefined)
  })
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    place: { host: '127.0.0.1', port },
    asked,
    times,
    async close() {
      isOpen = false
      udp.close()
      for (const socket of sockets) socket.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

type Content = {
  /** Lines such as "www.example.com. 300 A 192.0.2.1". */
  answer?: readonly string[]
  authority?: readonly string[]
  additional?: readonly string[]
  rcode?: number
  authoritative?: boolean
  cut?: boolean
}

/** An answer, which over TCP is preceded by its length. */
export function answering(
  { id, question, over }: Pick<AskedServer, 'id' | 'question' | 'over'>,
  content: Content,
): Buffer {
  const { rcode = 0, authoritative = true, cut = false } = content
  const flags = 0x8000 | (authoritative ? 0x0400 : 0) | (cut ? 0x0200 : 0) | rcode
  const writer = new MessageWriter({ id, flags, question })
  for (const section of ['answer', 'authority', 'additional'] as const)
    writer.add(section, (content[section] ?? []).map(recordOf))
  const message = writer.finish()
  return over === 'tcp' ? framed(message) : message
}

export function recordOf(line: string): WireRecord {
  const [name = '', ttl = '', word = '', ...rest] = line.split(' ')
  const type = fileTypeNumber(word) ?? (word === 'DNAME' ? rrType.dname : 0)
  const read = readRdata(type, rest.join(' '), { names: 'zone_file', origin: '.' })
  if ('problem' in read) throw new Error(`${line}: ${read.problem}`)
  return { name: nameToWire(name.replace(/\.$/, '')), type, ttl: Number(ttl), rdata: read.rdata }
}

export function soaLine(zone: string, serial = 7): string {
  return `${zone}. 300 SOA ns1.old.test. admin.old.test. ${serial} 3600 600 86400 300`
}

/** An authoritative server for these records, without wildcards, delegations and zone transfers. */
export function plainly(zone: string, lines: readonly string[]): (asked: AskedServer) => Buffer[] {
  return (asked) => {
    if (asked.type === rrType.axfr) return [answering(asked, { rcode: 5 })]
    const at = [soaLine(zone), ...lines].filter((line) => line.startsWith(`${asked.name}. `))
    const records = at.filter((line) => {
      const { type } = recordOf(line)
      return type === asked.type || type === rrType.cname
    })
    return [answering(asked, { answer: records, rcode: at.length === 0 ? 3 : 0 })]
  }
}
