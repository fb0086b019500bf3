// Deposit paths on a real database: one for each checkout, also after a restore.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { app_role, newDatabase, testDatabase } from '../../../../test/support/database.ts'
import { openDatabase } from '../../../db/database.ts'
import { depositPath, usedDepositPaths } from './deposit-paths.ts'

test('a checkout has one path, and no other has it, whatever calls come together', async () => {
  const { database: db } = await testDatabase()
  const checkouts = Array.from({ length: 30 }, (_, at) => `chk_${at % 10}`)
  const paths = await Promise.all(checkouts.map((id) => depositPath(db, id)))
  const written = paths.map(({ branch, index }) => `${branch}/${index}`)
  assert.equal(new Set(written).size, 10)
  assert.deepEqual(written.slice(0, 10), written.slice(10, 20))
  assert.equal(new Set(paths.map(({ branch }) => branch)).size, 1)
  assert.equal((await usedDepositPaths(db)).length, 10)
})

test('after a restore a new branch begins, so that no address is used again', async () => {
  const url = await newDatabase('template_of_tests')
  const original = await openDatabase({ url, app_role })
  const before = await depositPath(original, 'chk_kept')
  await original.close()
  // As a backup that is restored beside the original, on the same server.
  const copy = await newDatabase(new URL(url).pathname.slice(1))
  const restored = await openDatabase({ url: copy, app_role })
  after(() => restored.close())
  assert.deepEqual(await depositPath(restored, 'chk_kept'), before)
  const later = await depositPath(restored, 'chk_new')
  assert.equal(later.index, 0)
  assert.ok(later.branch > before.branch)
})

test('after a start of the database server a new branch begins', async () => {
  const { database: db, query } = await testDatabase()
  const before = await depositPath(db, 'chk_1')
  await query("update deposit_branches set server_started_at = '2020-01-01'")
  const later = await depositPath(db, 'chk_2')
  assert.equal(later.index, 0)
  assert.ok(later.branch > before.branch)
  assert.deepEqual(await depositPath(db, 'chk_1'), before)
})

test('the role of the service changes no path itself', async () => {
  const { query } = await testDatabase()
  for (const table of ['deposit_branches', 'deposit_paths'])
    for (const privilege of ['insert', 'update', 'delete', 'truncate']) {
      const [row] = await query('select has_table_privilege($1, $2, $3) as has', [
        app_role,
        table,
        privilege,
      ])
      assert.equal(row?.has, false, `${privilege} ${table}`)
    }
})
