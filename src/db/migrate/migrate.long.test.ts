// Migrations on empty databases: once, in order, never changed, and safe when several nodes begin
// together.
import assert from 'node:assert/strict'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../../../test/support/database.ts'
import { MigrationError } from '../database.ts'
import { own_functions } from './function-files.ts'
import { migrate } from './migrate.ts'
import { own_migrations, readMigrations } from './migration-files.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-migrations-'))
after(() => rmSync(scratch, { recursive: true }))

const own = (await readMigrations()).map(({ name }) => name)
let url: string
let folder: string
beforeEach(async () => {
  url = await newDatabase('template0')
  folder = mkdtempSync(join(scratch, 'set-'))
  cpSync(own_migrations, folder, { recursive: true })
})

function migration(name: string, sql: string): string {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'up.sql'), sql)
  return join(folder, name, 'up.sql')
}

async function refused(words: RegExp): Promise<void> {
  await assert.rejects(migrate({ url, folder, functions: own_functions }), (error: unknown) => {
    assert.ok(error instanceof MigrationError, String(error))
    assert.match(error.message, words)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
}

async function rows(sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe('migrations', () => {
  test('run once, in order, and say what was run', async () => {
    migration('9002-one', 'create table one (id int)')
    migration('9003-two', 'alter table one add column name text')
    const first = await migrate({ url, folder, functions: own_functions })
    assert.deepEqual(first.applied, [...own, '9002-one', '9003-two'])
    const second = await migrate({ url, folder, functions: own_functions })
    assert.deepEqual(second, {
      applied: [],
      functions: [],
      newer: [],
      version: 9003,
      roles: 'ready',
    })
  })

  test('of six nodes that start together are run by one', async () => {
    migration('9002-one', 'create table one (id int)')
    const reports = await Promise.all(
      Array.from({ length: 6 }, () => migrate({ url, folder, functions: own_functions })),
    )
    assert.equal(reports.flatMap((report) => report.applied).length, own.length + 1)
  })

  test('of several files run in the order of their names, and an error names its file', async () => {
    migration('9002-parts', '')
    rmSync(join(folder, '9002-parts', 'up.sql'))
    writeFileSync(join(folder, '9002-parts', '02-b.sql'), 'alter table one add column name text')
    writeFileSync(join(folder, '9002-parts', '01-a.sql'), 'create table one (id int);')
    assert.equal((await migrate({ url, folder, functions: own_functions })).version, 9002)
    migration('9003-parts', '')
    rmSync(join(folder, '9003-parts', 'up.sql'))
    writeFileSync(join(folder, '9003-parts', '01-a.sql'), 'create table two (id int);')
    writeFileSync(join(folder, '9003-parts', '02-b.sql'), '\ncreate table three (id intt);')
    await refused(/^Migration 9003-parts failed at 02-b\.sql:2: type "intt" does not exist$/)
    assert.deepEqual(await rows(`select from pg_tables where tablename = 'two'`), [])
  })

  test('on two databases of one cluster at once both find their roles', async () => {
    const other = await newDatabase('template0')
    await rows('drop owned by agent_registrar_app, agent_registrar_inspector').catch(() => [])
    const reports = await Promise.all([
      migrate({ url, folder, functions: own_functions }),
      migrate({ url: other, folder, functions: own_functions }),
    ])
    assert.deepEqual(
      reports.map((report) => report.roles),
      ['ready', 'ready'],
    )
  })

  test('that fail leave nothing behind and name the line', async () => {
    migration('9002-bad', 'create table one (id int);\n\ncreate table two (id intt);')
    await refused(/^Migration 9002-bad failed at up\.sql:3: type "intt" does not exist$/)
    assert.deepEqual(await rows(`select from pg_tables where tablename = 'one'`), [])
  })

  test('may not end their own transaction', async () => {
    migration('9002-commit', 'create table one (id int); commit; create table two (id int)')
    await refused(/9002-commit failed: its SQL ends the transaction/)
  })
})

describe('refused with one line', () => {
  test('a database of a version before the baseline', async () => {
    await rows(`create table schema_migrations (number int primary key, name text not null,
      sha256 text not null, applied_at timestamptz not null default now(), compatible_from int)`)
    await rows(`insert into schema_migrations values (1, '0001-roles', 'x'), (55, '0055-x', 'x')`)
    await refused(/before the first release .* empty database \(DATABASE_URL\).*\(DATA_DIR\)\.$/)
  })

  test('a migration that was changed after it was run', async () => {
    const file = migration('9002-one', 'create table one (id int);\n')
    await migrate({ url, folder, functions: own_functions })
    writeFileSync(file, 'create table one (id int);\r\n')
    assert.deepEqual(
      (await migrate({ url, folder, functions: own_functions })).applied,
      [],
      'line ends are no change',
    )
    appendFileSync(file, '-- thought better of it')
    await refused(/^Migration 9002-one was changed after it was run\. Undo the change/)
  })

  test('a baseline that was edited after it was run', async () => {
    await migrate({ url, folder, functions: own_functions })
    appendFileSync(join(folder, '0001-baseline', '19-metrics.sql'), '-- edited')
    await refused(/^Migration 0001-baseline .* before the first release .*\(DATA_DIR\)\.$/)
  })

  test('a database that is newer than the code', async () => {
    migration('9002-one', 'create table one (id int)')
    await migrate({ url, folder, functions: own_functions })
    rmSync(join(folder, '9002-one'), { recursive: true })
    const newest = own.at(-1)?.slice(0, 4)
    await refused(
      new RegExp(
        `has migration 9002-one, which needs version 9002 or newer; this one ends at ${newest}`,
      ),
    )
  })

  test('a migration that slips in before one that was run', async () => {
    migration('9003-two', 'create table two (id int)')
    await migrate({ url, folder, functions: own_functions })
    migration('9002-one', 'create table one (id int)')
    await refused(/9002-one comes before 9003, which has already run/)
  })

  test('folders with the same number, a wrong name or no SQL', async () => {
    migration('9002-one', 'select 1')
    migration('9002-two', 'select 1')
    await refused(/9002-one and 9002-two have the same number/)
    rmSync(join(folder, '9002-two'), { recursive: true })
    migration('next', 'select 1')
    await refused(/"next" must be named like/)
    rmSync(join(folder, 'next'), { recursive: true })
    mkdirSync(join(folder, '9004-left-by-git'))
    assert.equal((await migrate({ url, folder, functions: own_functions })).version, 9002)
    rmSync(migration('9005-none', ''))
    writeFileSync(join(folder, '9005-none', 'why.md'), '')
    await refused(/9005-none has no readable up\.sql/)
  })
})
