// Clients that are not registered but say who they are in a document at their client_id, an https
// URL (draft-ietf-oauth-client-id-metadata-document). oidc-provider asks for the document here and
// opens no connection by itself.
import type { IncomingMessage } from 'node:http'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { CommitUnknown, DatabaseUnavailable, type Sql } from '../../../db/database.ts'
import type { HostPorts } from '../../host-ports.ts'
import type { Library } from '../../provider/load-oidc-provider.ts'
import { ClientMetadataError } from '../client-metadata.ts'
import { openDocumentCache } from './document-cache.ts'
import { openDocumentFetcher } from './document-fetcher.ts'
import { FetchDeferred } from './fetch-backoff.ts'
import { parseDocumentUrl } from './metadata-document.ts'
import { FetchFailed, type OutboundNetwork, publicInternet } from './ssrf-safe-fetch.ts'

export type MetadataClientParts = {
  errors: Library['errors']
  sql: Sql
  /** Takes one unit; `resets_s` is when there are more. */
  count: HostPorts['count']
  /** How many documents of clients that we do not know one address may have us read. */
  per_minute: number
  /** The address that a request is counted for. */
  addressOf: (request: IncomingMessage) => string
  /** The service's clock: copies are shared by all nodes. */
  now_ms: () => number
  /** Where the documents are; the Internet unless a test says otherwise. */
  network?: OutboundNetwork
}

/** What oidc-provider's configuration takes of this. */
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
 * Documents are kept for as long as their Cache-Control says, between 5 minutes and a day, and a
 * day longer while their host is away; failures are not kept.
 */
export function openMetadataClients(parts: MetadataClientParts): MetadataClients {
  const { errors, sql, network = publicInternet, now_ms } = parts
  const cache = openDocumentCache(sql, now_ms)
  const read = openDocumentFetcher({ ...parts, cache, network, now_ms })
  // After an error oidc-provider looks for the client once more, in the same request.
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
      await read({ url, client_address: ctx ? parts.addressOf(ctx.req) : 'service' })
    } catch (error) {
      // A connected client that was told invalid_client would throw its tokens away.
      if (!(cached && error instanceof FetchDeferred)) throw error
    }
  }

  return {
    async fetch(input) {
      const found = cache.peek(String(input))
      // Nothing else that a client names (jwks_uri, say) is ever loaded.
      if (!found) throw new Error('No document of this client was read')
      const left_s = Math.max(0, Math.floor((found.fresh_until.getTime() - now_ms()) / 1000))
      return Response.json(found.fields, { headers: { 'cache-control': `max-age=${left_s}` } })
    },
    feature: {
      enabled: true,
      ack: 'draft-02',
      // The copies know when. An older one is used by the library for a second.
      cacheDuration: { min: 1, max: 86_400 },
      async allowFetch(ctx, clientId) {
        const before = ctx && failed.get(ctx)
        if (before) throw before
        try {
          await ensureDocument(ctx, clientId)
          return true
        } catch (error) {
          const told = libraryErrorOf(error, errors)
          if (error instanceof FetchDeferred) ctx?.set('Retry-After', String(error.retry_after_s))
          if (ctx) failed.set(ctx, told)
          throw told
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
  if (error instanceof DatabaseUnavailable || error instanceof CommitUnknown)
    return later('The database cannot be reached; try again', 503, error)
  return error instanceof Error
    ? error
    : new Error('A document could not be read', { cause: error })

  function later(words: string, status: 429 | 503, cause?: Error): Error {
    const options = { status, statusCode: status, ...(cause && { cause }) }
    return Object.assign(new errors.TemporarilyUnavailable(words), options)
  }
}
