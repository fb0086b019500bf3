// Simulated push service (RFC 8030) on one socket of 127.0.0.1. Browsers subscribe with their own
// keys and get the messages of the application server, decrypted. It refuses messages that a real
// one would refuse.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type BrowserKeys, newBrowserKeys } from './browser-keys.ts'
import { tokenProblem } from './sender-token.ts'

const most_bytes = 4_096
const most_ttl_s = 4 * 7 * 86_400

type PushedMessage = {
  text: string
  topic: string | null
  ttl_s: number
  urgency: string | null
  /** The size of the body as it arrived. */
  bytes: number
}

/** The response in place of a 201: a status, no answer at all, or the end of the connection. */
type PushFault =
  | { status: number; retry_after?: string; body?: string; times?: number }
  | { silent: true; times?: number }
  | { drop: true; times?: number }

type SimulatedBrowser = {
  /** The same form as PushSubscription.toJSON() of the Push API. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /**
   * The messages, oldest first. Of several with one topic, only the newest is kept until `read`.
   */
  messages: PushedMessage[]
  /** The number of requests, including refused ones. */
  requests: number
  /** Applies to the next request, or to this many; `times: 0` ends it. */
  fault: (fault: PushFault) => void
  /** Resolves once this many messages have arrived. Rejects after 15 s. */
  until: (count: number) => Promise<PushedMessage[]>
}

type PushService = {
  origin: string
  /** Why requests were refused. */
  problems: string[]
  /** A browser that subscribes with the key of an application server. */
  subscribe: (application_server_key: string) => Promise<SimulatedBrowser>
  close: () => Promise<void>
}

type Subscriber = { browser: SimulatedBrowser; keys: BrowserKeys; public_key: string }

/** The subscriptions by the path of their endpoint. */
type Subscribers = Map<string, Subscriber & { nextFault: () => PushFault | null }>

export async function startPushService(now_ms = () => Date.now()): Promise<PushService> {
  const subscribers: Subscribers = new Map()
  const problems: string[] = []
  const server = createServer((request, response) => {
    receive(request, response).catch((error) => {
      problems.push(String(error))
      if (!response.headersSent) response.writeHead(400)
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port')
  const origin = `http://127.0.0.1:${address.port}`

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const subscriber = subscribers.get(request.url ?? '/')
    if (!subscriber || request.method !== 'POST') return end(response, 404)
    const { keys, public_key, browser, nextFault } = subscriber
    browser.requests += 1
    const fault = nextFault()
    if (fault) return fail(response, fault)
    const { authorization } = request.headers
    const problem =
      (await tokenProblem(authorization, { origin, public_key, now_ms: now_ms() })) ??
      fieldProblem(request, body)
    if (problem !== null) {
      problems.push(problem)
      return end(response, body.length > most_bytes ? 413 : 403)
    }
    const { topic, ttl, urgency } = fieldsOf(request)
    const text = await keys.decrypt(new Uint8Array(body))
    keep(browser, { text, topic, ttl_s: Number(ttl), urgency, bytes: body.length })
    response.writeHead(201, { location: `${origin}/m/${randomBytes(8).toString('hex')}`, ttl })
    response.end()
  }

  return {
    origin,
    problems,
    async subscribe(public_key) {
      const keys = await newBrowserKeys()
      const path = `/push/${randomBytes(24).toString('base64url')}`
      const { browser, nextFault } = newBrowser(origin + path, keys)
      subscribers.set(path, { browser, keys, public_key, nextFault })
      return browser
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function newBrowser(endpoint: string, { p256dh, auth }: BrowserKeys) {
  let armed: PushFault | null = null
  let left = 0
  const browser: SimulatedBrowser = {
    subscription: { endpoint, keys: { p256dh, auth } },
    messages: [],
    requests: 0,
    fault(fault) {
      armed = fault
      left = fault.times ?? 1
    },
    async until(count) {
      const end = Date.now() + 15_000
      while (browser.messages.length < count) {
        if (Date.now() > end) throw new Error(`${browser.messages.length} of ${count} messages`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return [...browser.messages]
    },
  }
  const nextFault = () => {
    left -= 1
    return left >= 0 ? armed : null
  }
  return { browser, nextFault }
}

function keep({ messages }: SimulatedBrowser, message: PushedMessage): void {
  const { topic } = message
  const older = messages.findIndex((one) => topic !== null && one.topic === topic)
  if (older >= 0) messages.splice(older, 1)
  messages.push(message)
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end()
}

function fail(response: ServerResponse, fault: PushFault): void {
  if ('drop' in fault) response.destroy()
  if (!('status' in fault)) return
  const { status, retry_after, body = '' } = fault
  response.writeHead(status, retry_after === undefined ? {} : { 'retry-after': retry_after })
  response.end(body)
}

function fieldsOf({ headers }: IncomingMessage) {
  const one = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : null
  }
  return { topic: one('topic'), ttl: one('ttl') ?? '', urgency: one('urgency') }
}

/** RFC 8030 sections 5.2 to 5.4, RFC 8291 section 4. */
function fieldProblem(request: IncomingMessage, body: Buffer): string | null {
  const { topic, ttl, urgency } = fieldsOf(request)
  if (body.length > most_bytes) return 'a body that is too large'
  if (request.headers['content-encoding'] !== 'aes128gcm') return 'another content encoding'
  if (!/^\d+$/.test(ttl) || Number(ttl) > most_ttl_s) return 'no TTL'
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic)) return 'a malformed topic'
  if (urgency !== null && !/^(very-low|low|normal|high)$/.test(urgency)) return 'no urgency'
  return null
}
