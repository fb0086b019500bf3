// SSRF-safe fetch of a small JSON document at a URL that a client named. It uses https only, goes
// to a checked address, follows no redirects, and is bounded in size and time. The request carries
// no data of ours.

import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import {
  AddressForbidden,
  checkedAddresses,
  type OutboundNetwork,
  pinnedLookup,
} from '../../../kit/net/outbound-network.ts'

export const maxDocumentBytes = 5 * 1024
const noAddress = 'its host has no public address'
const timeout_ms = 5_000
const mostHeaderBytes = 8_192

/** A failed fetch. Its words are ASCII without quotes and reveal nothing of our network. */
export class FetchFailed extends Error {
  /**
   * `unreachable` if there was no answer, or one that says that it is temporary; `gone` if the host
   * says that there is no such document; `refused` if its answer is not accepted.
   */
  readonly kind: 'unreachable' | 'gone' | 'refused'

  constructor(kind: FetchFailed['kind'], words: string) {
    super(words)
    this.name = 'FetchFailed'
    this.kind = kind
  }
}

type CacheFields = { cache_control: string; etag: string | undefined }
/** `not_modified` says that the document still has the etag. */
type Fetched = CacheFields & ({ kind: 'read'; bytes: Buffer } | { kind: 'not_modified' })
type FetchOptions = {
  /**
   * The etag of the last fetch, so that the host need not send the document again while it is
   * unchanged.
   */
  etag?: string | null
  /** The limit for everything, from the name resolution to the last byte. */
  limit_ms?: number
}

/** Fetches a document whose URL is known to be https with a host name. Throws FetchFailed. */
export async function ssrfSafeFetch(
  url: URL,
  network: OutboundNetwork,
  { etag = null, limit_ms = timeout_ms }: FetchOptions = {},
): Promise<Fetched> {
  const signal = AbortSignal.timeout(limit_ms)
  try {
    const addresses = await checkedAddresses(url.hostname, { network, signal })
    // An outage of the DNS looks like a host that does not exist.
    if (addresses.length === 0) throw new FetchFailed('unreachable', noAddress)
    const response = await ask(url, { network, addresses, signal, etag })
    try {
      const fields = cacheFieldsOf(response)
      if (etag !== null && response.statusCode === 304)
        return { kind: 'not_modified', ...fields, etag: fields.etag ?? etag }
      return { kind: 'read', bytes: await read(response), ...fields }
    } finally {
      response.destroy()
    }
  } catch (error) {
    if (error instanceof FetchFailed) throw error
    if (error instanceof AddressForbidden) throw new FetchFailed('refused', noAddress)
    if (signal.aborted) throw new FetchFailed('unreachable', 'its host did not answer in time')
    // A closed port, a wrong certificate and a broken response look alike, so that this service
    // cannot be used as a scanner.
    throw new FetchFailed('unreachable', 'its host cannot be reached by https')
  }
}

type Connection = { network: OutboundNetwork; signal: AbortSignal }
type FetchTarget = { addresses: string[]; etag: string | null }

function ask(url: URL, connection: Connection & FetchTarget): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = request({
    host: url.hostname,
    servername: url.hostname,
    port: connection.network.port,
    path: url.pathname,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(connection.etag === null ? {} : { 'if-none-match': connection.etag }),
    },
    lookup: pinnedLookup(connection.addresses),
    // The request has an agent of its own, so that no connection is kept alive and no proxy of the
    // environment is used.
    agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
    maxHeaderSize: mostHeaderBytes,
    // The certificate is checked whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
    signal: connection.signal,
    ...(connection.network.ca === undefined ? {} : { ca: connection.network.ca }),
  })
  outgoing.once('response', resolve)
  outgoing.once('error', reject)
  outgoing.end()
  return promise
}

function cacheFieldsOf({ headers }: IncomingMessage): CacheFields {
  const { etag = '', 'cache-control': cache_control = '' } = headers
  // An etag that cannot be sent back is ignored (RFC 9110 section 8.8.3).
  return { cache_control, etag: /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? etag : undefined }
}

/** Statuses that say that a later request may succeed. */
function isTransient(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}

function checkStatus(status = 0): void {
  if (status === 200) return
  const kind = isTransient(status)
    ? 'unreachable'
    : status === 404 || status === 410
      ? 'gone'
      : 'refused'
  throw new FetchFailed(kind, `its host answered ${status}, not 200`)
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const { headers, statusCode } = response
  checkStatus(statusCode)
  const refuse = (words: string) => new FetchFailed('refused', words)
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw refuse('it is not application/json')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw refuse('it is sent with a content encoding')
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of response) {
    received += chunk.length
    if (received > maxDocumentBytes) throw refuse(`it is larger than ${maxDocumentBytes} bytes`)
    chunks.push(chunk)
  }
  if (!response.complete) throw new FetchFailed('unreachable', 'its host broke off')
  return Buffer.concat(chunks)
}
