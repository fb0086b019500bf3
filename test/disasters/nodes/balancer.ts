// A plain HTTP load balancer: each request goes to the next node whose /ready answers 200. A
// request that was sent is never sent again, so that every one that a node loses is seen.
import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const look_every_ms = 100
/**
 * Longer than checking every node takes on a busy machine; this is the DRAIN_DELAY_MS of its nodes.
 */
export const drain_delay_ms = 600

type Member = { url: string; is_ready: boolean }
type Exchange = { incoming: IncomingMessage; body: Buffer; outgoing: ServerResponse }

/** The fields that belong to one connection instead of the message. */
const hop_by_hop = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade']

export class Balancer {
  readonly url: string
  /** Its own answers: 502 for a node that broke off, and 503 if none is ready. */
  readonly failures: string[] = []
  readonly #server: Server
  readonly #members: Member[] = []
  // Connections are kept, as balancers keep them, and a node that drains must not cut one in use.
  readonly #agent = new Agent({ keepAlive: true, agentKeepAliveTimeoutBuffer: 2_000 })
  readonly #looks = new AbortController()
  #turn = 0

  /** `server` listens. */
  constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${Object(server.address()).port}`
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.#forward(incoming, outgoing).catch((error) => {
        this.#refuse(outgoing, 502, String(error))
      })
    })
  }

  /** Resolves once the node is ready. */
  async add(url: string): Promise<void> {
    const member = { url, is_ready: false }
    this.#members.push(member)
    void this.#look(member)
    while (!member.is_ready) await sleep(20)
  }

  remove(url: string): void {
    const at = this.#members.findIndex((member) => member.url === url)
    this.#members.splice(at, 1)
  }

  close(): void {
    this.#looks.abort()
    this.#agent.destroy()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #look(member: Member): Promise<void> {
    const { signal } = this.#looks
    while (this.#members.includes(member) && !signal.aborted) {
      const answer = await fetch(`${member.url}/ready`, { signal }).catch(() => null)
      await answer?.arrayBuffer().catch(() => undefined)
      member.is_ready = answer?.status === 200
      await sleep(look_every_ms, undefined, { ref: false })
    }
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const ready = this.#members.filter(({ is_ready }) => is_ready)
    this.#turn += 1
    for (const i of ready.keys()) {
      const member = ready[(this.#turn + i) % ready.length]
      if (member && (await this.#send(member, { incoming, body, outgoing }))) return
    }
    this.#refuse(outgoing, 503, 'no node is ready')
  }

  /** If false, no connection was made, so another node may be asked. */
  async #send(member: Member, { incoming, body, outgoing }: Exchange): Promise<boolean> {
    const { method, url = '/', socket } = incoming
    const own = { 'x-forwarded-for': socket.remoteAddress, connection: 'keep-alive' }
    const headers = { ...incoming.headers, ...own }
    const there = request(member.url + url, { method, agent: this.#agent, headers })
    outgoing.on('close', () => there.destroy())
    try {
      there.end(body)
      const [answer]: [IncomingMessage] = await Object(once(there, 'response'))
      outgoing.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers))
      outgoing.flushHeaders()
      await pipeline(answer, outgoing)
    } catch (error) {
      if (Object(error).code === 'ECONNREFUSED') {
        member.is_ready = false
        return false
      }
      // A client that left is not a failure of a node.
      const why = `${method} ${url}: ${Object(error).message}`
      if (!outgoing.destroyed) this.#refuse(outgoing, 502, why)
    }
    return true
  }

  #refuse(outgoing: ServerResponse, status: 502 | 503, why: string): void {
    this.failures.push(`${status} ${why}`)
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(status).end(JSON.stringify({ code: `balancer_${status}` }))
  }
}

export async function openBalancer(): Promise<Balancer> {
  const server = createServer()
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return new Balancer(server)
}

function endToEnd(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hop_by_hop.includes(name)))
}
