// Fetches client metadata documents, with single flight per URL, rate limits, concurrency limits
// and backoff. Unauthenticated clients name the URLs, so the limits keep this service from being
// used as a scanner and keep one client from blocking the documents of others.
import type { Sql } from '../../../db/database.ts'
import type { OutboundNetwork } from '../../../kit/net/outbound-network.ts'
import type { HostPorts, Quota } from '../../host-ports.ts'
import { ClientMetadataError } from '../client-metadata.ts'
import type { DocumentCache } from './document-cache.ts'
import { FetchDeferred, openFetchBackoff } from './fetch-backoff.ts'
import { openFetchLimits } from './fetch-concurrency.ts'
import { parseMetadataDocument } from './metadata-document.ts'
import { hasActiveGrant } from './metadata-documents.sql.ts'
import { FetchFailed, ssrfSafeFetch } from './ssrf-safe-fetch.ts'

const freshness_s = { least: 300, most: 86_400 }

type DocumentFetcherParts = {
  sql: Sql
  cache: DocumentCache
  /** Takes one unit. `resets_s` are the seconds until the quota is available again. */
  count: HostPorts['count']
  /** How many documents of unknown clients one address may have fetched. */
  per_minute: number
  now_ms: () => number
  network: OutboundNetwork
}
type FetchRequest = {
  url: URL
  /** The address of the request that needs the document. */
  client_address: string
}

/**
 * Fetches a document into the cache. Throws FetchDeferred, after which a stale document may be
 * used; FetchFailed and ClientMetadataError, after which there is none; DatabaseUnavailable.
 */
export function openDocumentFetcher(
  parts: DocumentFetcherParts,
): (wanted: FetchRequest) => Promise<void> {
  const { sql, cache, network, now_ms } = parts
  const inFlight = new Map<string, Promise<void>>()
  const limits = openFetchLimits()
  const backoff = openFetchBackoff(now_ms)

  async function spend(policy: Quota, key: string): Promise<void> {
    const { allowed, resets_s } = await parts.count(policy, key)
    if (!allowed) throw new FetchDeferred(429, resets_s, 'Too many client metadata documents')
  }

  // The quota of a host is far above that of one address at it: requests for documents that do not
  // exist must not lock out the host's own clients.
  async function spendAll({ client_address, url }: FetchRequest): Promise<void> {
    const { per_minute } = parts
    const policy = (name: string, quota: number) => ({ name, quota, window_s: 60 })
    const atHost = policy('client-documents-at-host', Math.ceil(per_minute / 2))
    await spend(policy('client-documents', per_minute), client_address)
    await spend(atHost, `${client_address} ${url.hostname}`)
    await spend(policy('client-document-host', 30 * per_minute), url.hostname)
  }

  async function fetchIntoCache({ href }: URL): Promise<void> {
    const cached = cache.peek(href)
    const read_at = new Date(now_ms())
    try {
      const fetched = await ssrfSafeFetch(new URL(href), network, { etag: cached?.etag ?? null })
      const fields =
        fetched.kind === 'not_modified'
          ? cached?.fields
          : parseMetadataDocument(fetched.bytes, href)
      if (!fields)
        throw new FetchFailed('refused', 'its host answered 304 to a request without ETag')
      backoff.reset(href)
      const fresh_until = new Date(now_ms() + 1000 * freshnessOf(fetched.cache_control))
      await cache.put({ fields, etag: fetched.etag ?? null, read_at, fresh_until })
    } catch (error) {
      if (!(error instanceof FetchFailed || error instanceof ClientMetadataError)) throw error
      if (error instanceof FetchFailed && error.kind === 'unreachable')
        throw backoff.fail(href, { known: cached !== undefined, words: error.message })
      backoff.fail(href, { known: false, words: error.message })
      await cache.purge(href, read_at)
      throw error
    }
  }

  return async ({ url, client_address }) => {
    const { href, hostname } = url
    if (inFlight.has(href)) return inFlight.get(href)
    backoff.check(href)
    const known =
      cache.peek(href) !== undefined ||
      (await sql.one(hasActiveGrant, { client_id: href })).consented
    if (!known) await spendAll({ url, client_address })
    // Another request may have started or completed the fetch meanwhile.
    if (inFlight.has(href)) return inFlight.get(href)
    if (cache.isFresh(cache.peek(href))) return
    const release = limits.tryAcquire({ client_address, host: hostname, known })
    if (!release) throw new FetchDeferred(503, 5, 'Too many documents are being read at the moment')
    const fetching = fetchIntoCache(url).finally(() => {
      release()
      inFlight.delete(href)
    })
    inFlight.set(href, fetching)
    await fetching
  }
}

/**
 * The seconds that a document is fresh. One that may not be stored is cached for the shortest time.
 */
function freshnessOf(cache_control: string): number {
  const maxAge = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})/i.exec(cache_control)?.[1]
  const storable = !/(?:^|,)\s*no-(store|cache)\b/i.test(cache_control)
  const wanted = storable && maxAge !== undefined ? Number(maxAge) : freshness_s.least
  return Math.min(freshness_s.most, Math.max(freshness_s.least, wanted))
}
