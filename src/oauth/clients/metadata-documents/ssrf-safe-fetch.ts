// One GET of a small JSON document at a URL that a stranger named: https only, to an address that
// was checked, without redirects, bounded in size and time. Nothing else of ours is shown to it.

import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicUnicast, resolvePublic } from './ssrf-address-policy.ts'

/**
 * The way to the outside. Production has this one alone; a test gives its own, with a server on
 * this machine that it trusts.
 */
export type OutboundNetwork = {
  resolve: (host: string, signal: AbortSignal) => Promise<string[]>
  allows: (address: string) => boolean
  /** The only port. */
  port: number
  /** PEM of the authority to trust in place of the system's. */
  ca?: string
}
export const publicInternet: OutboundNetwork = {
  resolve: resolvePublic,
  allows: isPublicUnicast,
  port: 443,
}

export const maxDocumentBytes = 5 * 1024
const timeout_ms = 5_000
const mostHeaderBytes = 8_192

/** Why a document was not got. The words are ASCII without quotes and tell nothing of ours. */
export class FetchFailed extends Error {
  /**
   * `unreachable`: no answer, or one that says that it is temporary. `gone`: the host says that
   * there is no such document. `refused`: its answer is not accepted.
   */
  readonly kind: 'unreachable' | 'gone' | 'refused'

  constructor(kind: FetchFailed['kind'], words: string) {
    super(words)
    this.name = 'NotFetched'
    this.kind = kind
  }
}

type LibraryError = { cache_control: string; etag: string | undefined }
/** `not_modified`: it is as it was when it had the etag. */
export type Fetched = LibraryError & ({ kind: 'read'; bytes: Buffer } | { kind: 'not_modified' })
export type FetchOptions = {
  /** Of the last time; the host need not send the document again while it has it. */
  etag?: string | null
  /** For all of it, from the name to the last byte. */
  limit_ms?: number
}

/** Gets the document, whose URL is known to be https with a host name. Throws NotFetched. */
export async function ssrfSafeFetch(
  url: URL,
  network: OutboundNetwork,
  { etag = null, limit_ms = timeout_ms }: FetchOptions = {},
): Promise<Fetched> {
  const signal = AbortSignal.timeout(limit_ms)
  try {
    const addresses = await resolveChecked(url.hostname, { network, signal })
    const response = await ask(url, { network, addresses, signal, etag })
    try {
      const reportError = notesOf(response)
      if (etag !== null && response.statusCode === 304)
        return { kind: 'not_modified', ...reportError, etag: reportError.etag ?? etag }
      return { kind: 'read', bytes: await read(response), ...reportError }
    } finally {
      response.destroy()
    }
  } catch (error) {
    if (error instanceof FetchFailed) throw error
    if (signal.aborted) throw new FetchFailed('unreachable', 'its host did not answer in time')
    // A closed port, a wrong certificate and a broken answer look alike: we are nobody's scanner.
    throw new FetchFailed('unreachable', 'its host cannot be reached by https')
  }
}

type Way = { network: OutboundNetwork; signal: AbortSignal }
type Asking = { addresses: string[]; etag: string | null }

/** One that may not be reached refuses the host: its answers change from one asking to the next. */
async function resolveChecked(host: string, { network, signal }: Way): Promise<string[]> {
  const addresses = await network.resolve(host, signal)
  signal.throwIfAborted()
  // An outage of the DNS looks like a host that is not there.
  if (addresses.length === 0) throw new FetchFailed('unreachable', 'its host has no public address')
  if (!addresses.every((address) => network.allows(address)))
    throw new FetchFailed('refused', 'its host has no public address')
  return addresses
}

function ask(url: URL, way: Way & Asking): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asking = request({
    host: url.hostname,
    servername: url.hostname,
    port: way.network.port,
    path: url.pathname,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(way.etag === null ? {} : { 'if-none-match': way.etag }),
    },
    lookup: lookupOf(way.addresses),
    // Its own: no connection is kept, and no proxy of the environment is gone through.
    agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
    maxHeaderSize: mostHeaderBytes,
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
    signal: way.signal,
    ...(way.network.ca === undefined ? {} : { ca: way.network.ca }),
  })
  asking.once('response', resolve)
  asking.once('error', reject)
  asking.end()
  return promise
}

/** The addresses that were checked, and no second asking. */
function lookupOf(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, done) => {
    const [first] = all
    if (options.all) done(null, all)
    else done(null, first?.address ?? '', first?.family)
  }
}

function notesOf({ headers }: IncomingMessage): LibraryError {
  const { etag = '', 'cache-control': cache_control = '' } = headers
  // What another could not be told again is none (RFC 9110 section 8.8.3).
  return { cache_control, etag: /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? etag : undefined }
}

/** What a host says when it will answer otherwise by and by. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}

function checkStatus(status = 0): void {
  if (status === 200) return
  const kind = isPassing(status)
    ? 'unreachable'
    : status === 404 || status === 410
      ? 'gone'
      : 'refused'
  throw new FetchFailed(kind, `its host answered ${status}, not 200`)
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const { headers, statusCode } = response
  checkStatus(statusCode)
  const no = (words: string) => new FetchFailed('refused', words)
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw no('it is not application/json')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw no('it is sent with a content encoding')
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of response) {
    received += chunk.length
    if (received > maxDocumentBytes) throw no(`it is larger than ${maxDocumentBytes} bytes`)
    chunks.push(chunk)
  }
  if (!response.complete) throw new FetchFailed('unreachable', 'its host broke off')
  return Buffer.concat(chunks)
}
