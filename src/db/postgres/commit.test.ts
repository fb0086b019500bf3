// Commits whose answer is late, lost or worth nothing: a server of its own waits for a standby that
// never comes.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { CommitUnknown, type Database, openDatabase } from '../database.ts'
import { type EmbeddedDatabase, startEmbedded } from '../embedded/index.ts'
import { migrate } from '../migrate/migrate.ts'
import { add, change, of, table } from '../things.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-commit-'))
chmodSync(folder, 0o711)
let server: EmbeddedDatabase
let database: Database
let admin: pg.Client

before(async () => {
  server = await startEmbedded({ data_dir: folder, log: { info: () => undefined } })
  admin = new pg.Client(server.url)
  await admin.connect()
  await admin.query(table)
  database = await openDatabase({ url: server.url, commit_timeout_ms: 1_000 })
})
after(async () => {
  await setStandbys('')
  await database.close()
  await admin.end()
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** Which standbys a commit waits for; takes effect in each session before its next statement. */
async function setStandbys(names: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${names}'`)
  await admin.query('select pg_reload_conf()')
  for (;;) {
    const { rows } = await admin.query(`select current_setting('synchronous_standby_names') as now`)
    if (rows[0]?.now === names) return
  }
}

/** Does something to the session that waits for the standby, once there is one. */
async function toTheWaiting(act: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
  for (;;) {
    const { rowCount } = await admin.query(
      `select ${act}(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
    )
    if (rowCount !== 0) return
  }
}

const adding = (name: string) => database.transaction((sql) => sql.one(add, { name, amount: 1n }))

describe('a commit that waits for its standby', () => {
  before(() => setStandbys('absent'))

  test('is unknown when the wait is cancelled, though the server says it succeeded', async () => {
    const unknown = assert.rejects(adding('cancelled'), (error: unknown) => {
      return error instanceof CommitUnknown && /perhaps not on the standby/.test(error.message)
    })
    await Promise.all([unknown, toTheWaiting('pg_cancel_backend')])
    assert.equal((await database.one(of, { name: 'cancelled' })).amount, 1n)
  })

  test('is unknown when the connection is lost meanwhile', async () => {
    const unknown = assert.rejects(adding('lost'), (error: unknown) => {
      return error instanceof CommitUnknown && /The answer to a commit was lost/.test(error.message)
    })
    await Promise.all([unknown, toTheWaiting('pg_terminate_backend')])
  })

  test('is unknown when our own timer ends it, as no timeout of the server does', async () => {
    await assert.rejects(adding('late'), /A commit was not answered within 1000 ms/)
    await assert.rejects(database.run(change, { name: 'a', amount: 1n }), CommitUnknown)
  })
})

describe('a commit that the server refuses', () => {
  before(() => setStandbys(''))

  test('is that refusal and no doubt: nothing was changed', async () => {
    await admin.query(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'not today' using errcode = '23514'; end $$;
      create constraint trigger refuses after insert on things deferrable initially deferred
        for each row execute function refuse()`)
    await assert.rejects(adding('refused'), { code: '23514' })
    assert.equal(await database.maybe(of, { name: 'refused' }), undefined)
  })
})

test('an owner who may make roles needs no superuser on PostgreSQL 18', async () => {
  await admin.query('create role maker login createrole')
  await admin.query('create database maker owner maker template template0')
  const url = new URL(server.url)
  url.username = 'maker'
  url.pathname = '/maker'
  assert.equal((await migrate({ url: url.href })).roles, 'ready')
  const app = await openDatabase({ url: url.href, app_role: 'agent_registrar_app' })
  await app.close()
})
