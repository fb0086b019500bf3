// One GET of a small JSON document at a URL that a stranger named: https only, to an address that
// was checked, without redirects, bounded in size and time. Nothing else of ours is shown to it.

import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isOutward, resolveOutside } from './ssrf-address-policy.ts'

/**
 * The way to the outside. Production has this one alone; a test gives its own, with a server on
 * this machine that it trusts.
 */
export type OutsideDoor = {
  resolve: (host: string, signal: AbortSignal) => Promise<string[]>
  allows: (address: string) => boolean
  /** The only port. */
  port: number
  /** PEM of the authority to trust in place of the system's. */
  ca?: string
}
export const internet: OutsideDoor = { resolve: resolveOutside, allows: isOutward, port: 443 }

export const mostBytes = 5 * 1024
const timeout_ms = 5_000
const mostHeaderBytes = 8_192

/** Why a document was not got. The words are ASCII without quotes and tell nothing of ours. */
export class NotFetched extends Error {
  /**
   * `away`: the host did not answer, or says that it cannot now. `gone`: it says that there is no
   * such document. `refused`: what it answered is not taken.
   */
  readonly kind: 'away' | 'gone' | 'refused'

  constructor(kind: NotFetched['kind'], words: string) {
    super(words)
    this.name = 'NotFetched'
    this.kind = kind
  }
}

type Noted = { cache_control: string; etag: string | undefined }
/** `same`: it is as it was when it had the etag. */
export type Fetched = Noted & ({ kind: 'read'; bytes: Buffer } | { kind: 'same' })
export type FetchOptions = {
  /** Of the last time; the host need not send the document again while it has it. */
  etag?: string | null
  /** For all of it, from the name to the last byte. */
  limit_ms?: number
}

/** Gets the document, whose URL is known to be https with a host name. Throws NotFetched. */
export async function fetchGuarded(
  url: URL,
  door: OutsideDoor,
  { etag = null, limit_ms = timeout_ms }: FetchOptions = {},
): Promise<Fetched> {
  const signal = AbortSignal.timeout(limit_ms)
  try {
    const addresses = await checkedAddresses(url.hostname, { door, signal })
    const response = await ask(url, { door, addresses, signal, etag })
    try {
      const noted = notesOf(response)
      if (etag !== null && response.statusCode === 304)
        return { kind: 'same', ...noted, etag: noted.etag ?? etag }
      return { kind: 'read', bytes: await read(response), ...noted }
    } finally {
      response.destroy()
    }
  } catch (error) {
    if (error instanceof NotFetched) throw error
    if (signal.aborted) throw new NotFetched('away', 'its host did not answer in time')
    // A closed port, a wrong certificate and a broken answer look alike: we are nobody's scanner.
    throw new NotFetched('away', 'its host cannot be reached by https')
  }
}

type Way = { door: OutsideDoor; signal: AbortSignal }
type Asking = { addresses: string[]; etag: string | null }

/** One that may not be reached refuses the host: its answers change from one asking to the next. */
async function checkedAddresses(host: string, { door, signal }: Way): Promise<string[]> {
  const addresses = await door.resolve(host, signal)
  signal.throwIfAborted()
  // An outage of the DNS looks like a host that is not there.
  if (addresses.length === 0) throw new NotFetched('away', 'its host has no public address')
  if (!addresses.every((address) => door.allows(address)))
    throw new NotFetched('refused', 'its host has no public address')
  return addresses
}

function ask(url: URL, way: Way & Asking): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asking = request({
    host: url.hostname,
    servername: url.hostname,
    port: way.door.port,
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
    ...(way.door.ca === undefined ? {} : { ca: way.door.ca }),
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

function notesOf({ headers }: IncomingMessage): Noted {
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
  const kind = isPassing(status) ? 'away' : status === 404 || status === 410 ? 'gone' : 'refused'
  throw new NotFetched(kind, `its host answered ${status}, not 200`)
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const { headers, statusCode } = response
  checkStatus(statusCode)
  const no = (words: string) => new NotFetched('refused', words)
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw no('it is not application/json')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw no('it is sent with a content encoding')
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of response) {
    received += chunk.length
    if (received > mostBytes) throw no(`it is larger than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  if (!response.complete) throw new NotFetched('away', 'its host broke off')
  return Buffer.concat(chunks)
}
