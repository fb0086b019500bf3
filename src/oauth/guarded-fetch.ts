// One GET of a small JSON document at a URL that a stranger named: https only, to an address that
// was checked, without redirects, bounded in size and time. Nothing else of ours is shown to it.

import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isOutward, resolveOutside } from './outward.ts'

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
  constructor(words: string) {
    super(words)
    this.name = 'NotFetched'
  }
}

export type Fetched = { bytes: Buffer; cache_control: string }

/** Gets the document, whose URL is known to be https with a host name. Throws NotFetched. */
export async function fetchGuarded(
  url: URL,
  door: OutsideDoor,
  limit_ms = timeout_ms,
): Promise<Fetched> {
  const signal = AbortSignal.timeout(limit_ms)
  try {
    const addresses = await checkedAddresses(url.hostname, { door, signal })
    const response = await ask(url, { door, addresses, signal })
    try {
      return await read(response)
    } finally {
      response.destroy()
    }
  } catch (error) {
    if (error instanceof NotFetched) throw error
    if (signal.aborted) throw new NotFetched('its host did not answer in time')
    // A closed port, a wrong certificate and a broken answer look alike: we are nobody's scanner.
    throw new NotFetched('its host cannot be reached by https')
  }
}

type Way = { door: OutsideDoor; signal: AbortSignal }

/** One that may not be reached refuses the host: its answers change from one asking to the next. */
async function checkedAddresses(host: string, { door, signal }: Way): Promise<string[]> {
  const addresses = await door.resolve(host, signal)
  signal.throwIfAborted()
  if (addresses.length === 0 || !addresses.every((address) => door.allows(address)))
    throw new NotFetched('its host has no public address')
  return addresses
}

function ask(url: URL, way: Way & { addresses: string[] }): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asking = request({
    host: url.hostname,
    servername: url.hostname,
    port: way.door.port,
    path: url.pathname,
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
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

async function read(response: IncomingMessage): Promise<Fetched> {
  const { headers, statusCode } = response
  if (statusCode !== 200) throw new NotFetched(`its host answered ${statusCode}, not 200`)
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw new NotFetched('it is not application/json')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new NotFetched('it is sent with a content encoding')
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of response) {
    received += chunk.length
    if (received > mostBytes) throw new NotFetched(`it is larger than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  if (!response.complete) throw new NotFetched('its host broke off')
  return { bytes: Buffer.concat(chunks), cache_control: headers['cache-control'] ?? '' }
}
