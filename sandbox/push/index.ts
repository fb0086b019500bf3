// Simulated push service (RFC 8030) on one socket of 127.0.0.1: browsers subscribe with keys of
// their own, and get the messages of the application server, decrypted. It refuses those that a real
// one would.
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
  /** Of the body as it came. */
  bytes: number
}

/** In place of a 201: a status, no answer at all, or the end of the connection. */
type PushFault =
  | { status: number; retry_after?: string; body?: string; times?: number }
  | { silent: true; times?: number }
  | { drop: true; times?: number }

type SimulatedBrowser = {
  /** As PushSubscription.toJSON() of the Push API. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** Oldest first; of one topic only the newest is kept until `read`. */
  messages: PushedMessage[]
  /** Requests, refused ones too. */
  requests: number
  /** Applies to the next request, or to so many; `times: 0` ends it. */
  fault: (fault: PushFault) => void
  /** Once so many messages came; rejects after 15 s. */
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
type Armed = { fault: PushFault; left: number }

export async function startPushService(now_ms = () => Date.now()): Promise<PushService> {
  const subscribers = new Map<string, Subscriber>()
  const armed = new Map<string, Armed>()
  const problems: string[] = []
  let wake = Promise.withResolvers<void>()

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
  if (address === null || typeof address === 'string') throw new Error('no port')
  const origin = `http://127.0.0.1:${address.port}`

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const body = await buffer(request)
    const subscriber = subscribers.get(path)
    if (!subscriber || request.method !== 'POST') return end(response, 404)
    subscriber.browser.requests += 1
    const fault = nextFault(path)
    if (fault) return fail(response, fault)
    const { keys, public_key, browser } = subscriber
    const authorization = request.headers.authorization
    const problem =
      (await tokenProblem(authorization, { origin, public_key, now_ms: now_ms() })) ??
      fieldProblem(request, body)
    if (problem !== null) {
      problems.push(problem)
      return end(response, body.length > most_bytes ? 413 : 403)
    }
    const { topic, ttl, urgency } = fieldsOf(request)
    const text = await keys.decrypt(new Uint8Array(body))
    const message = { text, topic, ttl_s: Number(ttl), urgency, bytes: body.length }
    const older = browser.messages.findIndex((one) => topic !== null && one.topic === topic)
    if (older >= 0) browser.messages.splice(older, 1)
    browser.messages.push(message)
    response.writeHead(201, { location: `${origin}/m/${randomBytes(8).toString('hex')}`, ttl })
    response.end()
    wake.resolve()
    wake = Promise.withResolvers()
  }

  function nextFault(path: string): PushFault | null {
    const next = armed.get(path)
    if (!next || next.left <= 0) return null
    next.left -= 1
    return next.fault
  }

  return {
    origin,
    problems,
    async subscribe(public_key) {
      const keys = await newBrowserKeys()
      const path = `/push/${randomBytes(24).toString('base64url')}`
      const { p256dh, auth } = keys
      const browser: SimulatedBrowser = {
        subscription: { endpoint: origin + path, keys: { p256dh, auth } },
        messages: [],
        requests: 0,
        fault: (fault) => armed.set(path, { fault, left: fault.times ?? 1 }),
        async until(count) {
          const late = AbortSignal.timeout(15_000)
          const { promise: over, reject } = Promise.withResolvers<never>()
          late.addEventListener('abort', () =>
            reject(new Error(`${browser.messages.length} of ${count} messages in 15 s`)),
          )
          while (browser.messages.length < count) await Promise.race([wake.promise, over])
          return [...browser.messages]
        },
      }
      subscribers.set(path, { browser, keys, public_key })
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
