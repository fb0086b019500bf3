// An HTTP client over kept connections of node:http for tests: what `fetch` sends and answers, for
// a third of its processor time. It follows no redirect.
import { Agent, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { watchExchange } from '../shards/secret-watch.ts'

export type Sending = {
  method?: string
  headers?: ConstructorParameters<typeof Headers>[0]
  body?: string | URLSearchParams | Uint8Array
}
export type Received = { status: number; headers: Headers; text: string }

const agent = new Agent({ keepAlive: true, agentKeepAliveTimeoutBuffer: 2_000 })
const usual = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
}
const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
}

export async function exchange(url: string | URL, sending: Sending = {}): Promise<Received> {
  try {
    return await attempt(url, sending)
  } catch (error) {
    // The server closed a kept connection while this process was too busy to see it.
    if (isSafe(sending) && error instanceof ClosedWhileKept) return attempt(url, sending)
    throw error
  }
}

/** `fetch` for clients of others, whose answers in JSON are watched for secrets, too. */
export const watchedFetch: typeof fetch = async (at, sending = {}) => {
  const response = await fetch(at, sending)
  if (at instanceof Request || !response.headers.get('content-type')?.includes('json'))
    return response
  const { method = 'GET', body } = sending
  const answer = {
    status: response.status,
    headers: response.headers,
    text: await response.clone().text(),
  }
  const sent = typeof body === 'string' ? body : ''
  watchExchange({
    method,
    url: new URL(at),
    headers: new Headers(sending.headers),
    body: sent,
    answer,
  })
  return response
}

const isStream = (method: string, { headers }: IncomingMessage) =>
  method === 'GET' && headers['content-type'] === 'text/event-stream'

class ClosedWhileKept extends Error {}

const isSafe = ({ method = 'GET' }: Sending) => method === 'GET' || method === 'HEAD'

async function attempt(url: string | URL, sending: Sending): Promise<Received> {
  const { method = 'GET', body } = sending
  const headers = new Headers({
    ...usual,
    ...typeOf(body),
    ...Object.fromEntries(new Headers(sending.headers)),
  })
  const outgoing = request(url, { method, agent, headers: Object.fromEntries(headers) })
  const { promise, resolve, reject } = Promise.withResolvers<[IncomingMessage, Buffer]>()
  outgoing.on('error', (error) => {
    const reset = Object(error).code === 'ECONNRESET' && outgoing.reusedSocket
    reject(reset ? new ClosedWhileKept(error.message, { cause: error }) : error)
  })
  outgoing.on('response', (incoming) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      // It has no end: its first octets are the answer.
      if (!isStream(method, incoming)) return
      resolve([incoming, Buffer.concat(chunks)])
      incoming.destroy()
    })
    incoming.on('error', reject)
    incoming.on('end', () => resolve([incoming, Buffer.concat(chunks)]))
  })
  outgoing.end(body instanceof URLSearchParams ? body.toString() : body)
  const received = receivedOf(...(await promise))
  if (!(body instanceof Uint8Array))
    watchExchange({ method, url: new URL(url), headers, body: body ?? '', answer: received })
  return received
}

function typeOf(body: Sending['body']): Record<string, string> {
  if (typeof body === 'string') return { 'content-type': 'text/plain;charset=UTF-8' }
  if (!(body instanceof URLSearchParams)) return {}
  return { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
}

function receivedOf(incoming: IncomingMessage, bytes: Buffer): Received {
  const headers = new Headers()
  const { rawHeaders, statusCode: status = 0 } = incoming
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  const decode = bytes.length > 0 ? decoders[headers.get('content-encoding') ?? ''] : undefined
  return { status, headers, text: new TextDecoder().decode(decode?.(bytes) ?? bytes) }
}
