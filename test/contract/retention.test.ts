// Retention: every table of the schema has a row in docs/database-retention.md, which names the job
// that purges it and the setting of its time, or the reason why its rows are kept.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { jobs } from '../../src/catalog.ts'
import { documentedSettings } from '../../src/config/config.ts'
import { declaredStatements } from '../../src/db/statement.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
const page = readFileSync(join(import.meta.dirname, '../../docs/database-retention.md'), 'utf8')

type Entry = { table: string; kept: string; purged: string }
const entries: Entry[] = page
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, table]) => /^`[a-z0-9_]+`$/.test(table ?? ''))
  .map(([, table = '', kept = '', purged = '']) => ({ table: table.slice(1, -1), kept, purged }))

const quoted = (text: string) => [...text.matchAll(/`([A-Za-z_]+)`/g)].map(([, word = '']) => word)

test('every table of the schema has one row, and every row a table', async () => {
  const tables = await db.query(
    `select relname::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition order by 1`,
  )
  assert.deepEqual(
    entries.map(({ table }) => table).sort(),
    tables.map(({ name }) => String(name)),
  )
})

test('a table is purged by a job of this service, or says why its rows are kept', async () => {
  const cascades = await db.query(
    `select conrelid::regclass::text as name, confrelid::regclass::text as source
       from pg_constraint where confdeltype = 'c' and conparentid = 0`,
  )
  const names = new Set(jobs.map(({ name }) => name))
  const functions = await db.query(
    `select proname as name, prosrc as source from pg_proc
      where pronamespace = 'public'::regnamespace`,
  )
  const statements = declaredStatements().map(({ text }) => text)
  const called = functions.filter(({ name }) =>
    statements.some((text) => text.includes(`${name}(`)),
  )
  const texts = [...statements, ...called.map(({ source }) => String(source))]
  for (const { table, kept, purged } of entries) {
    const named = quoted(purged).filter((word) => /^[a-z]/.test(word))
    if (named.length === 0) {
      assert.ok(kept.startsWith('Kept: ') && kept.length > 40, `${table} gives no reason: ${kept}`)
      continue
    }
    for (const name of named) assert.ok(names.has(name), `${table}: no job is named ${name}`)
    const sources = cascades.filter(({ name }) => name === table).map(({ source }) => source)
    const deletes = new RegExp(`\\bdelete from (${[table, ...sources].join('|')})\\b`)
    assert.ok(
      texts.some((text) => deletes.test(text)),
      `${table}: no statement deletes from it`,
    )
  }
})

test('the settings that the page names are there, and every time of retention is on it', () => {
  const known = new Set(documentedSettings().map(({ name }) => name))
  const named = new Set(quoted(page).filter((word) => /^[A-Z_]+$/.test(word)))
  for (const name of named) assert.ok(known.has(name), `${name} is no setting`)
  const times = [...known].filter((name) => name.endsWith('_KEPT_DAYS'))
  assert.ok(times.length >= 5)
  assert.deepEqual(
    times.filter((name) => !named.has(name)),
    [],
  )
})
