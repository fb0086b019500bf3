// The document cache, when the database's answer comes late.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../test/support/database.ts'
import { parseClientMetadata } from '../client-metadata.ts'
import { openDocumentCache } from './document-cache.ts'

const { database } = await testDatabase()

test('a document fetched meanwhile is not replaced by an older answer of the database', async () => {
  const asked = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  const slow: typeof database = {
    ...database,
    async maybe(statement, ...params) {
      const row = await database.maybe(statement, ...params)
      asked.resolve()
      await late.promise
      return row
    },
  }
  const now_ms = 1_000_000
  const cache = openDocumentCache(slow, () => now_ms)
  const client_id = 'https://app.client.test/late.json'
  const found = cache.find(client_id)
  await asked.promise
  await cache.put({
    fields: {
      ...parseClientMetadata({ redirect_uris: ['https://app.client.test/cb'] }, ['none']),
      client_id,
    },
    etag: null,
    read_at: new Date(now_ms),
    fresh_until: new Date(now_ms + 300_000),
  })
  late.resolve()
  assert.equal((await found)?.fields.client_id, client_id)
  assert.ok(cache.isFresh(cache.peek(client_id)))
})
