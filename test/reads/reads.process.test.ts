// Every declared statement, by its generic plan, on a small and on a ten times larger database:
// none may read more rows or buffers than a page, a batch or a deeper tree explains.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { few, growing } from '../../bench/support/reads/exemptions.ts'
import { compareReads, lineOf } from '../../bench/support/reads/gate.ts'
import { load } from '../../bench/support/reads/load.ts'
import { allStatements, measure } from '../../bench/support/reads/measure.ts'
import { newDatabase } from '../support/database.ts'

async function loaded(scale: number): Promise<pg.Client> {
  const client = new pg.Client(await newDatabase('template_of_tests'))
  await client.connect()
  await load(client, scale)
  return client
}

const [small, large] = await Promise.all([loaded(0.001), loaded(0.01)])

describe('the reads of statements', () => {
  test('do not grow with the account or the table', async () => {
    const comparisons = compareReads(await measure(small), await measure(large))
    const bad = comparisons.filter(({ kind }) => kind === 'grows' || kind === 'not run')
    assert.deepEqual(bad.map(lineOf), [])
    assert.ok(comparisons.length > 250, `${comparisons.length} cases`)
  })

  test('have a stated reason where they grow', async () => {
    const names = new Set((await allStatements()).map(({ name }) => name))
    assert.deepEqual(
      Object.keys(growing).filter((name) => !names.has(name)),
      [],
    )
  })

  test('are measured on rows of every table that can have many', async () => {
    const { rows } = await large.query<{ name: string; rows: number }>(
      `select relname as name, reltuples::int as rows from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
          and not relispartition`,
    )
    const empty = rows.filter((row) => row.rows < 50 && !few.includes(row.name))
    assert.deepEqual(empty, [])
  })

  test('grow where an index is missing', async () => {
    for (const client of [small, large])
      await client.query('deallocate all; drop index ledger_transfers_of_currency')
    const only = /^ledger_entries_of_currency$/
    const comparisons = compareReads(await measure(small, only), await measure(large, only))
    const kinds = comparisons.map(({ kind }) => kind)
    assert.ok(kinds.includes('grows'), kinds.join())
    await Promise.all([small.end(), large.end()])
  })
})
