// What a node remembers of documents, when what it asked the database for comes late.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../test/support/database.ts'
import { readClient } from '../client-metadata.ts'
import { openCopies } from './document-cache.ts'

const { database } = await testDatabase()

test('what was read meanwhile is not forgotten for what the database said before', async () => {
  const asked = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  const slow: typeof database = {
    ...database,
    async maybe(statement, params) {
      const row = await database.maybe(statement, params)
      asked.resolve()
      await late.promise
      return row
    },
  }
  const now_ms = 1_000_000
  const copies = openCopies(slow, () => now_ms)
  const client_id = 'https://app.client.test/late.json'
  const found = copies.find(client_id)
  await asked.promise
  await copies.keep({
    fields: {
      ...readClient({ redirect_uris: ['https://app.client.test/cb'] }, ['none']),
      client_id,
    },
    etag: null,
    read_at: new Date(now_ms),
    fresh_until: new Date(now_ms + 300_000),
  })
  late.resolve()
  assert.equal((await found)?.fields.client_id, client_id)
  assert.ok(copies.isFresh(copies.here(client_id)))
})
