// Rolling upgrades: an older node starts on a newer schema that says it fits, and index builds
// outside of a transaction survive an interruption.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newDatabase } from '../../../test/support/database.ts'
import { DatabaseUnavailable, MigrationError } from '../database.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migration-files.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-versions-'))
after(() => rmSync(scratch, { recursive: true }))

let url: string
let client: pg.Client
beforeEach(async () => {
  url = await newDatabase('template0')
  client = new pg.Client(url)
  await client.connect()
})
afterEach(() => client.end())

const base = 'create table things (id int primary key, name text)'

function folder(migrations: Record<string, string>): string {
  const made = mkdtempSync(join(scratch, 'set-'))
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(join(made, name))
    writeFileSync(join(made, name, 'up.sql'), sql)
  }
  return made
}

async function refused(set: Record<string, string>, words: RegExp): Promise<void> {
  await assert.rejects(migrate({ url, folder: folder(set) }), (error: unknown) => {
    assert.ok(error instanceof MigrationError, String(error))
    assert.match(error.message, words)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
}

describe('an older node on a newer database', () => {
  const old = { '0001-base': base }
  const middle = { ...old, '0002-note': 'alter table things add column note text' }

  test('starts where each newer migration is compatible from its own newest, and says which', async () => {
    const added = '-- compatible from: 0001\nalter table things add column size int'
    const index = '-- Sizes.\n-- compatible from: 0001\ncreate index sizes on things (size)'
    const set = { ...old, '0002-size': added, '0003-index': index }
    assert.deepEqual((await migrate({ url, folder: folder(set) })).newer, [])
    const report = await migrate({ url, folder: folder(old) })
    assert.deepEqual(report, {
      applied: [],
      functions: [],
      newer: ['0002-size', '0003-index'],
      version: 3,
      roles: 'missing',
    })
  })

  test('refuses in one line where one of them is not', async () => {
    const renamed = '-- compatible from: 0002\nalter table things rename column name to title'
    const added = '-- compatible from: 0001\nalter table things add column size int'
    await migrate({ url, folder: folder({ ...middle, '0003-title': renamed, '0004-size': added }) })
    await refused(
      old,
      /has migration 0002-note, .* needs version 0002 or newer; this one ends at 0001\./,
    )
    assert.deepEqual((await migrate({ url, folder: folder(middle) })).newer, [
      '0003-title',
      '0004-size',
    ])
  })

  test('refuses a migration that it lacks between its own', async () => {
    const slipped = '-- compatible from: 0001\nselect 1'
    const third = '-- compatible from: 0001\nselect 3'
    await migrate({ url, folder: folder({ ...old, '0002-slipped': slipped, '0003-three': third }) })
    await refused({ ...old, '0003-three': third }, /has migration 0002-slipped/)
  })

  test('reads the compatibility of migrations that ran before the database stored it', async () => {
    const added = '-- compatible from: 0001\nalter table things add column size int'
    const set = { ...old, '0002-size': added }
    await migrate({ url, folder: folder(set) })
    await client.query('alter table schema_migrations drop column compatible_from')
    await refused(old, /has migration 0002-size/)
    await migrate({ url, folder: folder(set) })
    assert.deepEqual((await migrate({ url, folder: folder(old) })).newer, ['0002-size'])
  })

  test('a statement of compatibility with the future is refused', async () => {
    await refused(
      { ...old, '0002-x': '-- compatible from: 0003\nselect 1' },
      /0002-x is compatible from 0003, which comes after it/,
    )
  })

  test('every migration after the baseline says from which version it is compatible', async () => {
    const silent = (await readMigrations())
      .filter(({ number, compatible_from }) => number > 1 && compatible_from === null)
      .map(({ name }) => name)
    assert.deepEqual(silent, [])
  })
})

const build = (index: string) => `-- no transaction\n-- compatible from: 0001\n${index};\n`
const plain = build('create index concurrently things_named on things (name)')
const unique = build('create unique index concurrently things_named on things (name)')

async function indexes(): Promise<unknown[]> {
  const { rows } = await client.query(
    `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
      where indrelid = 'things'::regclass and not indisprimary`,
  )
  return rows
}

describe('a migration outside of a transaction', () => {
  test('builds its indexes, once, while writers go on', async () => {
    const set = folder({ '0001-base': base, '0002-index': plain })
    assert.deepEqual((await migrate({ url, folder: set })).applied, ['0001-base', '0002-index'])
    assert.deepEqual((await migrate({ url, folder: set })).applied, [])
    assert.deepEqual(await indexes(), [{ name: 'things_named', valid: true }])
  })

  test('that a killed connection interrupted is built again at the next start', async () => {
    await migrate({ url, folder: folder({ '0001-base': base }) })
    const set = folder({ '0001-base': base, '0002-index': plain })
    // A build waits for every transaction that may not see its index yet.
    await client.query('begin; insert into things values (1)')
    const cut = migrate({ url, folder: set })
    const outcome = assert.rejects(cut, DatabaseUnavailable)
    const admin = new pg.Client(url)
    await admin.connect()
    const killed = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ~ '^create index' and pid <> pg_backend_pid()
        and wait_event_type = 'Lock'`
    const deadline = Date.now() + 40_000
    while ((await admin.query(killed)).rowCount === 0) {
      assert.ok(Date.now() < deadline, 'the build began')
      await sleep(20)
    }
    await outcome
    await client.query('commit')
    await admin.end()
    assert.deepEqual(await indexes(), [{ name: 'things_named', valid: false }])
    assert.deepEqual((await migrate({ url, folder: set })).applied, ['0002-index'])
    assert.deepEqual(await indexes(), [{ name: 'things_named', valid: true }])
  })

  test('that failed is not taken for done, and ends once its data fit', async () => {
    const set = { '0001-base': base, '0002-index': unique }
    await migrate({ url, folder: folder({ '0001-base': base }) })
    await client.query(`insert into things values (1, 'a'), (2, 'a')`)
    await refused(set, /^Migration 0002-index failed: could not create unique index/)
    assert.deepEqual(await indexes(), [{ name: 'things_named', valid: false }])
    await client.query('delete from things where id = 2')
    assert.deepEqual((await migrate({ url, folder: folder(set) })).applied, ['0002-index'])
    assert.deepEqual(await indexes(), [{ name: 'things_named', valid: true }])
  })

  test('is run by one of three nodes that start together; none waits in a way that stops the build', async () => {
    await migrate({ url, folder: folder({ '0001-base': base }) })
    const set = folder({ '0001-base': base, '0002-index': plain })
    const reports = await Promise.all([1, 2, 3].map(() => migrate({ url, folder: set })))
    assert.equal(reports.flatMap((report) => report.applied).length, 1)
  })

  test('drops an index as well', async () => {
    const drop = build('drop index concurrently if exists things_named')
    const set = { '0001-base': base, '0002-index': plain, '0003-drop': drop }
    await migrate({ url, folder: folder(set) })
    assert.deepEqual(await indexes(), [])
  })

  test('may hold nothing but index builds, as anything else could be done by half', async () => {
    const other = build('create index concurrently a on things (name); update things set id = 2')
    await refused(
      { '0001-base': base, '0002-other': other },
      /0002-other .* only "create index concurrently .*" .*: update things/,
    )
  })
})
