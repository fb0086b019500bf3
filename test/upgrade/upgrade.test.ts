// Databases of every released state, with rows of every kind, are upgraded to this version: the
// schema is the one that a new database has, no row is lost, and reads of customers are the same.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { readMigrations } from '../../src/db/migrate/migration-files.ts'
import { newDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { type Recorded, readKept } from './kept.fixture.ts'
import { countsOf, schemaOf } from './schema.fixture.ts'

const folder = join(import.meta.dirname, 'databases')
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.sql.gz'))
  .map((file) => file.replace('.sql.gz', ''))

/** The dump restored into a database of its own. */
async function restored(name: string): Promise<string> {
  const url = await newDatabase('template0')
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(gunzipSync(readFileSync(join(folder, `${name}.sql.gz`))).toString())
  } finally {
    await client.end()
  }
  return url
}

test('the state before the first release is among them, and its migration never changes', async () => {
  assert.ok(names.includes('0001-baseline'))
  const [baseline] = await readMigrations()
  assert.deepEqual(
    [baseline?.name, baseline?.sha256],
    ['0001-baseline', '5b481b69346852ffee58ae652b3faaf4f036e2cc36a7021f2c55d2524d888df2'],
  )
})

for (const name of names)
  describe(`the database of ${name}`, async () => {
    const url = await restored(name)
    const before = await countsOf(url)
    const { empty, kept }: Recorded = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

    test('has rows in each table but a few', () => {
      const without = [...before].filter(([, rows]) => rows === 0).map(([table]) => table)
      assert.deepEqual(without, empty)
      assert.ok(before.size - without.length > 70, `${before.size} tables`)
    })

    test('gets the schema of a new one, and keeps every row', async () => {
      await migrate({ url })
      const fresh = await newDatabase('template_of_tests')
      const [upgraded, made] = await Promise.all([schemaOf(url), schemaOf(fresh)])
      const missing = made.filter((line) => !upgraded.includes(line))
      const left = upgraded.filter((line) => !made.includes(line))
      assert.deepEqual({ missing, left }, { missing: [], left: [] })
      const after = await countsOf(url)
      const lost = [...before].filter(([table, rows]) => (after.get(table) ?? rows) < rows)
      assert.deepEqual(lost, [])
    })

    test('reads as before, and its ledger balances', async () => {
      const registrar = await startService({ database_url: url, worker: false })
      for (const { key, answers } of kept) {
        const now = await readKept(registrar, key)
        // A field that is new says more; none says less, or another thing.
        assert.partialDeepStrictEqual(now.answers, answers)
      }
      const path = '/v1/internal/ledger/trial-balance'
      const { body } = await registrar.request('GET', path, { token: registrar.operatorKey })
      assert.equal(body.sound, true, JSON.stringify(body))
    })
  })
