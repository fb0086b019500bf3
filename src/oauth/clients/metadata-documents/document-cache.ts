// Cache of client metadata documents, read-through: in this node's memory, and in the database for
// the other nodes and for the time when a document's host is unreachable.
import { LRUCache } from 'lru-cache'
import type { Sql } from '../../../db/database.ts'
import { json } from '../../../db/statement.ts'
import { ClientMetadataError, parseClientMetadata } from '../client-metadata.ts'
import type { DocumentFields } from './metadata-document.ts'
import { deleteDocument, findDocument, upsertDocument } from './metadata-documents.sql.ts'

/** How long a stale document may be served while its host is unreachable. */
export const max_stale_ms = 86_400_000
const maxInMemory = 500

type CachedDocument = {
  fields: DocumentFields
  etag: string | null
  read_at: Date
  fresh_until: Date
}
export type DocumentCache = {
  /** The document in this node's memory, fresh or stale. */
  peek: (clientId: string) => CachedDocument | undefined
  isFresh: (cached: CachedDocument | undefined) => boolean
  /**
   * The newest document that any node fetched, or undefined if all are staler than `max_stale_ms`.
   */
  find: (clientId: string) => Promise<CachedDocument | undefined>
  put: (cached: CachedDocument) => Promise<void>
  /** Removes the document that was fetched at this moment, because it is gone or was rejected. */
  purge: (clientId: string, at: Date) => Promise<void>
}

/** Opens the cache. `now_ms` is the clock. */
export function openDocumentCache(sql: Sql, now_ms: () => number): DocumentCache {
  const memory = new LRUCache<string, CachedDocument>({ max: maxInMemory })
  const isFresh = (cached: CachedDocument | undefined) =>
    (cached?.fresh_until.getTime() ?? 0) > now_ms()

  return {
    peek: (clientId) => memory.get(clientId),
    isFresh,
    async find(clientId) {
      const cached = memory.get(clientId)
      if (isFresh(cached)) return cached
      const row = await sql.maybe(findDocument, {
        client_id: clientId,
        fresh_after: new Date(now_ms() - max_stale_ms),
      })
      // A document that was fetched or purged meanwhile is newer than the database's answer.
      if (memory.get(clientId) !== cached) return memory.get(clientId)
      const fields = row && fieldsOf(row.fields, clientId)
      if (fields) memory.set(clientId, { ...row, fields })
      else memory.delete(clientId)
      return memory.get(clientId)
    },
    async put(cached) {
      const { fields, etag, read_at, fresh_until } = cached
      await sql.count(upsertDocument, {
        client_id: fields.client_id,
        fields: json(fields),
        etag,
        read_at,
        fresh_until,
      })
      memory.set(fields.client_id, cached)
    },
    async purge(clientId, at) {
      memory.delete(clientId)
      await sql.count(deleteDocument, { client_id: clientId, read_at: at })
    },
  }
}

/** The fields of a stored document by today's rules, or undefined if these reject it. */
function fieldsOf(stored: unknown, client_id: string): DocumentFields | undefined {
  try {
    return { ...parseClientMetadata(stored, ['none']), client_id }
  } catch (error) {
    if (error instanceof ClientMetadataError) return undefined
    throw error
  }
}
