// Client ID metadata documents: clients whose client_id is the https URL of a document that
// describes them (draft-ietf-oauth-client-id-metadata-document). oidc-provider gets documents from
// this cache and opens no connection on its own.
import type { IncomingMessage } from 'node:http'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Sql } from '../../../db/database.ts'
import { isDatabaseOutage } from '../../../errors/classify.ts'
import { oauthWords } from '../../../errors/oauth-json.ts'
import { type OutboundNetwork, publicInternet } from '../../../kit/net/outbound-network.ts'
import type { HostPorts } from '../../host-ports.ts'
import type { Library } from '../../shared/load-oidc-provider.ts'
import { ClientMetadataError } from '../client-metadata.ts'
import { openDocumentCache } from './document-cache.ts'
import { openDocumentFetcher } from './document-fetcher.ts'
import { FetchDeferred } from './fetch-backoff.ts'
import { parseDocumentUrl } from './metadata-document.ts'
import { FetchFailed } from './ssrf-safe-fetch.ts'

type MetadataClientParts = {
  errors: Library['errors']
  sql: Sql
  /** Takes one unit. `resets_s` are the seconds until the quota is available again. */
  count: HostPorts['count']
  /** How many documents of unknown clients one address may have fetched. */
  per_minute: number
  /** The address that a request is counted for. */
  addressOf: (request: IncomingMessage) => string
  /** The service's clock, because all nodes share the documents. */
  now_ms: () => number
  /** The Internet by default; tests supply another. */
  network?: OutboundNetwork
}

/** The parts of oidc-provider's configuration. */
export type MetadataClients = {
  fetch: NonNullable<Configuration['fetch']>
  feature: {
    enabled: true
    ack: 'draft-02'
    allowFetch: (ctx: KoaContextWithOIDC | undefined, clientId: string) => Promise<boolean>
    cacheDuration: { min: number; max: number }
  }
}

/**
 * Documents are cached for as long as their Cache-Control says, between 5 minutes and a day, and a
 * day longer while their host is unreachable; failures are not cached.
 */
export function openMetadataClients(parts: MetadataClientParts): MetadataClients {
  const { errors, sql, network = publicInternet, now_ms } = parts
  const cache = openDocumentCache(sql, now_ms)
  const fetchDocument = openDocumentFetcher({ ...parts, cache, network, now_ms })
  // After an error oidc-provider looks up the client again, in the same request.
  const failed = new WeakMap<KoaContextWithOIDC, Error>()

  async function ensureDocument(
    ctx: KoaContextWithOIDC | undefined,
    clientId: string,
  ): Promise<void> {
    if (cache.isFresh(cache.peek(clientId))) return
    const url = parseDocumentUrl(clientId, network.port)
    if (typeof url === 'string') throw new errors.InvalidClient(url)
    const cached = await cache.find(clientId)
    if (cache.isFresh(cached)) return
    try {
      await fetchDocument({ url, client_address: ctx ? parts.addressOf(ctx.req) : 'service' })
    } catch (error) {
      // A connected client would discard its tokens after invalid_client.
      if (!(cached && error instanceof FetchDeferred)) throw error
    }
  }

  return {
    async fetch(input) {
      const found = cache.peek(String(input))
      // No other URL that a client names (such as jwks_uri) is ever loaded.
      if (!found) throw new Error('No document of this client was read')
      const left_s = Math.max(0, Math.floor((found.fresh_until.getTime() - now_ms()) / 1000))
      return Response.json(found.fields, { headers: { 'cache-control': `max-age=${left_s}` } })
    },
    feature: {
      enabled: true,
      ack: 'draft-02',
      // Our cache decides. The library caches a stale document for a second.
      cacheDuration: { min: 1, max: 86_400 },
      async allowFetch(ctx, clientId) {
        const before = ctx && failed.get(ctx)
        if (before) throw before
        try {
          await ensureDocument(ctx, clientId)
          return true
        } catch (error) {
          const failure = libraryErrorOf(error, errors)
          if (error instanceof FetchDeferred) ctx?.set('Retry-After', String(error.retry_after_s))
          if (ctx) failed.set(ctx, failure)
          throw failure
        }
      },
    },
  }
}

function libraryErrorOf(error: unknown, errors: Library['errors']): Error {
  if (error instanceof FetchFailed)
    return new errors.InvalidClient(`The document at client_id was not read: ${error.message}`)
  if (error instanceof ClientMetadataError)
    return new errors.InvalidClient(`The document at client_id is not taken: ${error.message}`)
  if (error instanceof FetchDeferred) return later(error.message, error.status)
  if (isDatabaseOutage(error)) return later(oauthWords.database, 503, error)
  return error instanceof Error
    ? error
    : new Error('A document could not be read', { cause: error })

  function later(words: string, status: 429 | 503, cause?: Error): Error {
    const options = { status, statusCode: status, ...(cause && { cause }) }
    return Object.assign(new errors.TemporarilyUnavailable(words), options)
  }
}
