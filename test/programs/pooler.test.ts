// Connection poolers: one that gives each client a session is equivalent to the database; one that
// shares sessions by transaction or statement is refused before anything is set on them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { DatabaseSettingError, openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { databaseTime } from '../../src/db/server.sql.ts'
import { newDatabase } from '../support/database.ts'
import { type PoolOptions, skipPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'

const shared: { mode: 'transaction' | 'statement'; options: PoolOptions }[] = [
  { mode: 'transaction', options: {} },
  { mode: 'transaction', options: { round_robin: true } },
  { mode: 'transaction', options: { size: 1 } },
  { mode: 'statement', options: {} },
  { mode: 'statement', options: { size: 1 } },
]

async function rows(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function refused(work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof DatabaseSettingError, String(error))
    assert.match(error.message, /pooler that shares sessions .*pool_mode = session/)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
}

describe('PgBouncer', { skip: skipPgBouncer }, () => {
  for (const { mode, options } of shared)
    test(`in ${mode} mode is refused (${JSON.stringify(options)})`, async () => {
      const direct = await newDatabase('template0')
      const url = await startPgBouncer(direct, mode, options)
      // Some sessions are in the pool already, in the state in which other clients leave them.
      if (options.size !== 1)
        await Promise.all([1, 2, 3].map(() => rows(url, 'select pg_sleep(0.05)')))
      await refused(migrate({ url }))
      await refused(openDatabase({ url }))
      const left = () =>
        rows(
          direct,
          `select state, application_name from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
        )
      // PgBouncer rolls back once it has noticed that the client is gone.
      for (let tries = 0; tries < 800 && (await left()).length > 0; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 50))
      assert.deepEqual(await left(), [])
      const locks = await rows(
        direct,
        `select from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and d.datname = current_database()`,
      )
      assert.deepEqual(locks, [])
      assert.deepEqual(await rows(direct, `select from pg_tables where schemaname = 'public'`), [])
      const settings = await rows(
        url,
        `select current_setting('statement_timeout') as statement,
                current_setting('lock_timeout') as lock,
                current_setting('client_min_messages') as messages,
                current_setting('default_transaction_read_only') as read_only,
                current_user = session_user as own`,
      )
      assert.deepEqual(settings, [
        { statement: '0', lock: '0', messages: 'notice', read_only: 'off', own: true },
      ])
    })

  test('in session mode serves as PostgreSQL itself does', async () => {
    const url = await startPgBouncer(await newDatabase('template0'), 'session')
    const { roles } = await migrate({ url })
    assert.equal(roles, 'ready')
    const database = await openDatabase({ url, app_role: 'agent_registrar_app' })
    const notified = Promise.withResolvers<string>()
    const stop = await database.listen('pooled', { notified: notified.resolve, reconnected() {} })
    assert.ok((await databaseTime(database)) instanceof Date)
    await rows(url, `notify pooled, 'yes'`)
    assert.equal(await notified.promise, 'yes')
    await stop()
    await database.close()
  })
})
