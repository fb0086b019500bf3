// The advisory lock of migrations while another session holds it: the wait names the holder, and
// an abort ends it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { newDatabase, untilBlocked } from '../../../test/support/database.ts'
import { DatabaseUnavailable } from '../postgres/errors.ts'
import { databaseContent } from './database-content.ts'
import { migrate } from './migrate.ts'

const url = await newDatabase('template0')

async function holder(): Promise<pg.Client & { processID?: number }> {
  const client = new pg.Client({ connectionString: url, application_name: 'maintenance' })
  await client.connect()
  await client.query('select pg_advisory_lock(7316401)')
  return client
}

test('a wait names the holder, and ends when it releases the lock', async () => {
  const held = await holder()
  const { rows } = await held.query('select pg_backend_pid() as pid')
  const reported = Promise.withResolvers<string>()
  const migrating = migrate({ url, say: reported.resolve })
  const line = await reported.promise
  assert.match(line, new RegExp(`process ${rows[0].pid} \\("maintenance", connected since 20`))
  assert.match(line, /migration lock/)
  assert.doesNotMatch(line, /\n/)
  await held.end()
  const { applied } = await migrating
  assert.ok(applied.includes('0001-baseline'))
})

test('an abort ends the wait at once, and leaves no session behind', async () => {
  const held = await holder()
  const stop = new AbortController()
  const migrating = migrate({ url, say: () => stop.abort(), signal: stop.signal })
  await assert.rejects(migrating, { name: 'AbortError' })
  const others = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  while ((await held.query(others)).rows[0].n > 0) await held.query('select pg_sleep(0.01)')
  await held.end()
})

test('an abort ends a migration that waits for a table, and nothing of it stays', async () => {
  await migrate({ url })
  const held = new pg.Client(url)
  await held.connect()
  await held.query('begin')
  await held.query('lock table schema_migrations in access exclusive mode')
  const stop = new AbortController()
  const migrating = migrate({ url, signal: stop.signal })
  await untilBlocked(async (text) => (await held.query(text)).rows)
  stop.abort()
  await assert.rejects(migrating, { name: 'AbortError' })
  await held.end()
})

test('a locked table ends the start with one line, and does not block it forever', async () => {
  await migrate({ url })
  const held = new pg.Client(url)
  await held.connect()
  await held.query('begin')
  await held.query('lock table schema_migrations, audit_logs in access exclusive mode')
  const began = performance.now()
  for (const result of await Promise.allSettled([migrate({ url }), databaseContent(url)])) {
    assert.equal(result.status, 'rejected')
    assert.ok(result.reason instanceof DatabaseUnavailable, String(result.reason))
    assert.match(result.reason.message, /is not available: .*(lock timeout|timeout)/)
    assert.doesNotMatch(result.reason.message, /\n/)
  }
  assert.ok(performance.now() - began < 30_000)
  await held.end()
})
