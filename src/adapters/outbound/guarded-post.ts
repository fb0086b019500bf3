// Guarded POST to a URL that a client named (a webhook, a push service): it goes to a checked
// address, without redirects and proxies, and is bounded in time and in the size of the response.
import * as http from 'node:http'
import * as https from 'node:https'
import {
  AddressForbidden,
  checkedAddresses,
  type OutboundNetwork,
  pinnedLookup,
} from '../../kit/net/outbound-network.ts'

type GuardedPost = {
  network: Pick<OutboundNetwork, 'resolve' | 'allows' | 'ca'>
  headers: Record<string, string>
  body: string | Buffer
  /** The time from the name resolution to the header of the response. */
  limit_ms: number
  /** Ends the request early. */
  signal: AbortSignal
}
type Posted = { status: number; retry_after: string | undefined }

/**
 * No response arrived. `message` is for the owner of the URL, and reveals nothing about our
 * network.
 */
export class PostFailed extends Error {}

const most_bytes = 65_536
const most_header_bytes = 16_384
/** The status is already known: a body is read only so that a small one is not broken off. */
const drain_ms = 1_000

/** The status of the response, whatever its body is. Throws PostFailed. */
export async function guardedPost(url: URL, post: GuardedPost): Promise<Posted> {
  const timeout = AbortSignal.timeout(post.limit_ms)
  const signal = AbortSignal.any([timeout, post.signal])
  try {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = await checkedAddresses(host, { network: post.network, signal })
    if (addresses.length === 0) throw new PostFailed('The host name cannot be resolved.')
    const response = await send(url, { ...post, addresses, signal })
    await drain(response)
    return { status: response.statusCode ?? 0, retry_after: response.headers['retry-after'] }
  } catch (error) {
    if (error instanceof PostFailed) throw error
    if (error instanceof AddressForbidden) throw new PostFailed('The host has no public address.')
    if (timeout.aborted) throw new PostFailed(`No response within ${post.limit_ms / 1_000} s.`)
    throw new PostFailed(
      isCertificateProblem(error)
        ? 'The certificate of the host is not valid for it.'
        : 'The connection failed.',
    )
  }
}

function send(
  url: URL,
  { network, headers, body, addresses, signal }: GuardedPost & { addresses: string[] },
): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup: pinnedLookup(addresses),
    maxHeaderSize: most_header_bytes,
    signal,
  }
  // These are separate agents: no connection is kept alive, and no proxy of the environment is
  // used.
  const outgoing =
    url.protocol === 'https:'
      ? https.request(url, {
          ...options,
          agent: new https.Agent({ keepAlive: false, maxCachedSessions: 0 }),
          // This holds whatever NODE_TLS_REJECT_UNAUTHORIZED says.
          rejectUnauthorized: true,
          ...(network.ca === undefined ? {} : { ca: network.ca }),
        })
      : http.request(url, { ...options, agent: new http.Agent({ keepAlive: false }) })
  outgoing.once('response', resolve)
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}

/** Reads a small body to its end, and cuts off a large or slow one. */
async function drain(response: http.IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, drain_ms)
  let received = 0
  response.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > most_bytes) resolve()
  })
  response.once('close', resolve)
  response.once('error', () => resolve())
  await promise
  clearTimeout(timer)
  response.destroy()
}

function isCertificateProblem(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /CERT|SIGNATURE|^ERR_TLS_/.test(code)
}

/**
 * RFC 9110 section 10.2.3: the value is seconds or a date. It is 0 if absent, and at most
 * `longest_s`.
 */
export function retryAfterMs(
  text: string | undefined,
  { now, longest_s }: { now: Date; longest_s: number },
): number {
  if (text === undefined) return 0
  const seconds = /^[0-9]{1,9}$/.test(text.trim())
    ? Number(text)
    : (Date.parse(text) - now.getTime()) / 1_000
  return Number.isFinite(seconds) ? 1_000 * Math.min(longest_s, Math.max(0, seconds)) : 0
}
