// A subscription that cannot be opened is opened by its next use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { adminUrl, testDatabase } from '../../test/support/database.ts'
import { Subscription } from './database.ts'

test('is opened once, by the first use that succeeds, and reports that it may have missed some', async (t) => {
  const { database, url, query } = await testDatabase()
  const admin = new pg.Client({ connectionString: adminUrl() })
  await admin.connect()
  t.after(() => admin.end())
  const allow = (allowed: boolean) =>
    admin.query(
      `alter database ${pg.escapeIdentifier(new URL(url).pathname.slice(1))}
         allow_connections ${allowed}`,
    )
  const received: string[] = []
  const notified = Promise.withResolvers<void>()
  const things = new Subscription(database, 'things', {
    notified: (payload) => {
      received.push(payload)
      notified.resolve()
    },
    reconnected: () => received.push('opened'),
  })
  // Its own connection is made before.
  await query('select 1')
  await allow(false)
  await assert.rejects(things.ensure(), /not currently accepting connections/)
  things.begin()
  await assert.rejects(things.ensure())
  assert.deepEqual(received, [])
  await allow(true)
  await Promise.all([things.ensure(), things.ensure()])
  await things.ensure()
  await query(`select pg_notify('things', 'one')`)
  await notified.promise
  assert.deepEqual(received, ['opened', 'one'])
  await things.close()
})
