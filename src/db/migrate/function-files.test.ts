// Repeatable function files: applied when their text changes, by the newest version alone, and
// never with another signature.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../../../test/support/database.ts'
import { DatabaseUnavailable, MigrationError } from '../postgres/errors.ts'
import { own_functions, readFunctionFiles } from './function-files.ts'
import { type MigrationReport, migrate } from './migrate.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-functions-'))
after(() => rmSync(scratch, { recursive: true }))
let url: string
beforeEach(async () => {
  url = await newDatabase('template0')
})

type Version = { migrations: Record<string, string>; functions: Record<string, string> }

/** Starts as a node of the version would. */
async function start({ migrations, functions }: Version): Promise<MigrationReport> {
  const made = mkdtempSync(join(scratch, 'version-'))
  const folder = join(made, 'migrations')
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'up.sql'), sql)
  }
  mkdirSync(join(made, 'functions'))
  for (const [name, sql] of Object.entries(functions))
    writeFileSync(join(made, 'functions', name), sql)
  return await migrate({ url, folder, functions: join(made, 'functions') })
}

async function refused(version: Version, words: RegExp): Promise<void> {
  await assert.rejects(start(version), (error: unknown) => {
    assert.ok(error instanceof MigrationError, String(error))
    assert.match(error.message, words)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
}

async function value(sql: string): Promise<unknown> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return Object.values((await client.query(sql)).rows[0])[0]
  } finally {
    await client.end()
  }
}

const migrations = { '0001-base': 'create table things (id int primary key, size int)' }
const one = (result: number, signature = 'a int') =>
  '-- One.\n' +
  `create or replace function one(${signature}) returns int\n` +
  `language sql as $$ select ${result}; $$;\n`

test('are applied once, and again when their text changes, whatever the order of their names', async () => {
  const calls = 'create or replace function a() returns int language sql as $$ select one(0) $$;'
  const first = { migrations, functions: { 'a.sql': calls, 'one.sql': one(1) } }
  assert.deepEqual((await start(first)).functions, ['a.sql', 'one.sql'])
  assert.deepEqual((await start(first)).functions, [])
  assert.equal(await value('select a()'), 1)
  const second = { migrations, functions: { ...first.functions, 'one.sql': one(2) } }
  assert.deepEqual((await start(second)).functions, ['one.sql'])
  assert.equal(await value('select a()'), 2)
  assert.deepEqual((await start(first)).functions, ['one.sql'], 'a roll-back of the code alone')
})

test('that migrations call are applied before them', async () => {
  const early = { 'one.sql': `-- One.\n-- before migrations\n${one(7)}` }
  const filled = { ...migrations, '0002-fill': 'insert into things values (one(1))' }
  await start({ migrations: filled, functions: early })
  assert.equal(await value('select id from things'), 7)
})

test('of an older version are not applied over those of a newer one', async () => {
  const newer = {
    ...migrations,
    '0002-note': '-- compatible from: 0001\nalter table things add column note text',
  }
  await start({ migrations, functions: { 'one.sql': one(1) } })
  await start({ migrations: newer, functions: { 'one.sql': one(2) } })
  assert.deepEqual((await start({ migrations, functions: { 'one.sql': one(1) } })).functions, [])
  assert.equal(await value('select one(0)'), 2)
})

test('are those of the newest version, whichever of many nodes starts first', async () => {
  const newer = {
    ...migrations,
    '0002-note': '-- compatible from: 0001\nalter table things add column note text',
  }
  const nodes = [
    { migrations, functions: { 'one.sql': one(1) } },
    { migrations: newer, functions: { 'one.sql': one(2) } },
  ]
  await Promise.all([...nodes, ...nodes.toReversed(), ...nodes].map(start))
  assert.equal(await value('select one(0)'), 2)
})

test('change no signature: arguments, their names, defaults, the result', async () => {
  await start({ migrations, functions: { 'one.sql': one(1) } })
  const words = /one\(a integer\) returns integer would become .*: give the new one another name/
  for (const signature of ['a int, b int', 'a bigint', 'a int default 1'])
    await refused({ migrations, functions: { 'one.sql': one(2, signature) } }, words)
  await refused({ migrations, functions: { 'one.sql': one(2, 'b int') } }, /one\.sql.* failed/)
  const result = one(2).replace('returns int', 'returns bigint')
  await refused({ migrations, functions: { 'one.sql': result } }, /one\.sql.* failed/)
  assert.equal(await value('select one(0)'), 1, 'and nothing was applied')
})

test('name the line of an error, and leave nothing behind', async () => {
  const broken = `${one(1)}create or replace function two() returns int languag sql as '';`
  await refused(
    { migrations, functions: { 'one.sql': broken } },
    /^Function file one\.sql:4 failed/,
  )
  assert.equal(await value(`select to_regproc('one')`), null)
})

test('hold functions and triggers, and nothing that would be done twice', async () => {
  const trigger = `create or replace function f() returns trigger language plpgsql as
    $$ begin insert into things values (1); return null; end; $$;
    create or replace trigger f after delete on things for each row execute function f();`
  await start({ migrations, functions: { 'f.sql': trigger } })
  for (const other of [
    'insert into things values (1);',
    'drop table things;',
    'create table x ();',
  ])
    await refused(
      { migrations, functions: { 'f.sql': `${trigger}\n-- And:\n${other}` } },
      /^Function file f\.sql may hold only .*, not: /,
    )
})

test('name each function as a plain name, so that its signature is compared', async () => {
  for (const name of ['public.one', '"one"', 'One'])
    await refused(
      {
        migrations,
        functions: { 'one.sql': one(1).replace('function one(', `function ${name}(`) },
      },
      /^Function file one\.sql must name a function in lower snake case, without schema: create or/,
    )
})

test('that wait too long for a lock change nothing, and are applied at the next start', async () => {
  const files = (result: number) => ({
    'one.sql': `${one(result)}create or replace function f() returns trigger language plpgsql as
      $$ begin return null; end; $$;
      create or replace trigger f after delete on things for each row execute function f();`,
  })
  await start({ migrations, functions: files(1) })
  // As a writer of the table would make it wait.
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`
      create function busy() returns event_trigger language plpgsql as
        $$ begin raise exception 'lock timeout' using errcode = 'lock_not_available'; end; $$;
      create event trigger busy on ddl_command_start when tag in ('CREATE TRIGGER')
        execute function busy()`)
    await assert.rejects(start({ migrations, functions: files(2) }), (error: unknown) => {
      assert.ok(error instanceof DatabaseUnavailable, String(error))
      assert.match(error.message, /^Function file one\.sql waited too long, and changed nothing: /)
      return true
    })
    await client.query('drop event trigger busy')
  } finally {
    await client.end()
  }
  assert.equal(await value('select one(0)'), 1)
  await start({ migrations, functions: files(2) })
  assert.equal(await value('select one(0)'), 2)
})

test('of this service: each function stands in one file', async () => {
  const names = (await readFunctionFiles(own_functions)).flatMap(({ functions }) => functions)
  assert.ok(names.length > 40)
  assert.deepEqual(names, [...new Set(names)])
})
