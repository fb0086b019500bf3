// What the documents of clients said when they were last read: in this node's memory, and in the
// database for the other nodes and for the time when a document's host is away.
import { LruMap } from 'toad-cache'
import type { Sql } from '../../../db/database.ts'
import { json } from '../../../db/statement.ts'
import { ClientRefused, readClient } from '../client-metadata.ts'
import type { DocumentFields } from './metadata-document.ts'
import { documentOf, keepDocument, purgeDocument } from './metadata-documents.sql.ts'

/** How long past its freshness a copy may stand for a document that cannot be read. */
export const stale_ms = 86_400_000
const mostInMemory = 500

export type Copy = {
  fields: DocumentFields
  etag: string | null
  read_at: Date
  fresh_until: Date
}
export type Copies = {
  /** What this node knows of, fresh or not. */
  here: (clientId: string) => Copy | undefined
  isFresh: (copy: Copy | undefined) => boolean
  /** The newest that any node read; undefined where none is younger than `stale_ms` allows. */
  find: (clientId: string) => Promise<Copy | undefined>
  keep: (copy: Copy) => Promise<void>
  /** The document that was read at this moment is no more, or not what it was. */
  purge: (clientId: string, at: Date) => Promise<void>
}

/** `now_ms`: the clock. */
export function openCopies(sql: Sql, now_ms: () => number): Copies {
  const memory = new LruMap<Copy>(mostInMemory)
  const isFresh = (copy: Copy | undefined) => (copy?.fresh_until.getTime() ?? 0) > now_ms()

  return {
    here: (clientId) => memory.get(clientId),
    isFresh,
    async find(clientId) {
      const here = memory.get(clientId)
      if (isFresh(here)) return here
      const row = await sql.maybe(documentOf, [clientId, new Date(now_ms() - stale_ms)])
      // What was read or forgotten meanwhile is newer than what the database said.
      if (memory.get(clientId) !== here) return memory.get(clientId)
      const fields = row && fieldsOf(row.fields, clientId)
      if (fields) memory.set(clientId, { ...row, fields })
      else memory.delete(clientId)
      return memory.get(clientId)
    },
    async keep(copy) {
      const { fields, etag, read_at, fresh_until } = copy
      await sql.count(keepDocument, [fields.client_id, json(fields), etag, read_at, fresh_until])
      memory.set(fields.client_id, copy)
    },
    async purge(clientId, at) {
      memory.delete(clientId)
      await sql.count(purgeDocument, [clientId, at])
    },
  }
}

/** By the rules of today; undefined when they would not take it any more. */
function fieldsOf(kept: unknown, client_id: string): DocumentFields | undefined {
  try {
    return { ...readClient(kept, ['none']), client_id }
  } catch (error) {
    if (error instanceof ClientRefused) return undefined
    throw error
  }
}
