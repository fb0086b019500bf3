// The sockets of a name server: UDP, and TCP with a length of two octets (RFC 7766).
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import type { Logger } from 'pino'
import { KeyedSemaphore } from '../../../kit/concurrency/semaphore.ts'
import { countedAddress } from '../../../kit/net/ip.ts'
import { type DnsPlace, NameServerError } from '../port.ts'
import type { Transport } from './write-reply.ts'

/** `address` is the client's, in the form in which addresses are counted. */
export type From = { transport: Transport; address: string }
/** Answers one message with several, one or none. It never rejects. */
type Answers = (message: Buffer, from: From) => Promise<readonly Buffer[]>
type NameServerSockets = { place: DnsPlace; close(): Promise<void> }
type Options = {
  place: DnsPlace
  /** The prefix of the settings of its address, so that an operator can find them. */
  setting?: string
  answers: Answers
  log: Pick<Logger, 'warn'>
}
type Warn = (error: Error, words: string) => void

const most_connections = 256
/** The most connections of one client (RFC 7766 6.2.2), so that it leaves some to the others. */
const most_of_client = 16
/** The time from one whole message to the next, which a client cannot extend by sending slowly. */
const idle_ms = 10_000
const tries = 20

/**
 * Listens on one port with both; port 0 takes one that is free for both. Throws NameServerError
 * with one clear line.
 */
export async function openSockets(options: Options): Promise<NameServerSockets> {
  const { place, setting = 'DNS', answers, log } = options
  for (let attempt = 1; ; attempt += 1) {
    // Connections are half open: a client that ends its side after its questions still gets its
    // answers.
    const tcp = createServer({ allowHalfOpen: true })
    const udp = createSocket(isIPv6(place.host) ? 'udp6' : 'udp4')
    // The handlers are set before it listens, because a client may connect at once. Failures until
    // then are thrown below.
    let isServing = false
    const warn: Warn = (error, words) => isServing && log.warn({ err: error }, words)
    serveTcp(tcp, answers, warn)
    serveUdp(udp, answers, warn)
    try {
      tcp.listen(place.port, place.host)
      await once(tcp, 'listening')
      const port = portOf(tcp)
      udp.bind(port, place.host)
      await once(udp, 'listening')
      isServing = true
      return { place: { host: place.host, port }, close: () => closeBoth(tcp, udp) }
    } catch (error) {
      await closeBoth(tcp, udp)
      // A port that is free for TCP need not be free for UDP.
      if (place.port !== 0 || attempt === tries) throw inOneLine(error, place, setting)
    }
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function inOneLine(error: unknown, { host, port }: DnsPlace, setting: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const words = {
    EADDRINUSE:
      `Port ${port} of the name server is in use. Set ${setting}_PORT to another, ` +
      'or stop the program that uses it.',
    EACCES: `This user may not answer DNS on port ${port}. Set ${setting}_PORT to 1024 or above.`,
    EADDRNOTAVAIL: `${setting}_HOST ${host} is not an address of this machine. Set 127.0.0.1.`,
  }
  for (const [name, sentence] of Object.entries(words))
    if (name === code) return new NameServerError(sentence, error)
  return error
}

function serveUdp(socket: UdpSocket, answers: Answers, warn: Warn): void {
  socket.on('error', (error) => warn(error, 'error on the UDP socket of the name server'))
  socket.on('message', (message, { address, port }) => {
    // No answer can be sent to port 0, from which a forged question may come, because Node refuses
    // it.
    if (port === 0) return
    void answers(message, { transport: 'udp', address: countedAddress(address) }).then((all) => {
      for (const one of all)
        if (!closed.has(socket)) socket.send(one, port, address, () => undefined)
    })
  })
}

const connections = new WeakMap<Server, Set<Socket>>()
const closed = new WeakSet<UdpSocket>()

function serveTcp(server: Server, answers: Answers, warn: Warn): void {
  const open = new Set<Socket>()
  const clients = new KeyedSemaphore()
  connections.set(server, open)
  server.maxConnections = most_connections
  server.on('error', (error) => warn(error, 'error on the TCP socket of the name server'))
  server.on('connection', (socket) => {
    const key = countedAddress(socket.remoteAddress ?? '')
    const release = clients.tryAcquire([{ key, limit: most_of_client }])
    if (!release) return void socket.destroy()
    open.add(socket)
    socket.on('close', () => {
      release()
      open.delete(socket)
    })
    // A broken connection is not an error of the server, even after its questions have ended.
    socket.on('error', () => socket.destroy())
    serveConnection(socket, answers).catch(() => socket.destroy())
  })
}

/**
 * Messages are handled one after the other, and a client that does not read its answers is not read
 * from.
 */
async function serveConnection(socket: Socket, answers: Answers): Promise<void> {
  const address = countedAddress(socket.remoteAddress ?? '')
  const timer = setTimeout(() => socket.destroy(), idle_ms)
  socket.on('close', () => clearTimeout(timer))
  let received: Buffer = Buffer.alloc(0)
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const size = received.length < 2 ? Number.POSITIVE_INFINITY : received.readUInt16BE(0)
      if (received.length < 2 + size) break
      const all = await answers(received.subarray(2, 2 + size), { transport: 'tcp', address })
      received = received.subarray(2 + size)
      if (all.length === 0) return void socket.destroy()
      for (const one of all) {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(one.length)
        if (!socket.write(Buffer.concat([length, one]))) await once(socket, 'drain')
        timer.refresh()
      }
    }
  }
  socket.end()
}

async function closeBoth(tcp: Server, udp: UdpSocket): Promise<void> {
  if (!closed.has(udp)) {
    closed.add(udp)
    await new Promise<void>((resolve) => udp.close(() => resolve()))
  }
  for (const socket of connections.get(tcp) ?? []) socket.destroy()
  if (tcp.listening) await new Promise<void>((resolve) => tcp.close(() => resolve()))
}
