// Sealing: every row once and in order, with late commits, many sealers, and restored clusters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { blockOf, blocksAfter, storeAuditRow, storeBlock } from '../chain/audit.sql.ts'
import { type Block, blockHash, noBlockHash } from '../chain/block.ts'
import { inclusionProof } from '../chain/inclusion-proof.ts'
import { archiveNotedHead } from '../chain/noted-head.ts'
import { openAuditSigner } from '../chain/signer.ts'
import { type Log, newLog, sealAll, sealedLog, someRow, write } from './log.fixture.ts'
import { rows_per_block } from './seal.job.ts'

const total = (blocks: readonly Block[]) =>
  blocks.reduce((sum, { row_count }) => sum + row_count, 0)

test('makes no block without new rows', async () => {
  const log = await sealedLog()
  assert.equal((await log.seal()).block, null)
  assert.equal((await log.verify()).blocks, 3)
})

test('a row of a transaction that was open for long is never skipped', async () => {
  const log = await newLog()
  const slow = new pg.Client({ connectionString: log.url })
  await slow.connect()
  await slow.query('begin')
  await slow.query('select audit_append($1::jsonb)', [JSON.stringify(someRow(1))])
  await write(log, 3)
  assert.equal((await log.seal()).block, null, 'the quick rows wait for the slow one')
  await slow.query('commit')
  await slow.end()
  assert.equal(total(await sealAll(log)), 4)
  const { ok, rows, unsealed } = await log.verify()
  assert.deepEqual([ok, rows, unsealed], [true, 4, 0])
})

test('rows of a transaction that was rolled back leave no gap', async () => {
  const log = await newLog()
  await write(log, 2)
  await assert.rejects(
    log.database.transaction(async (sql) => {
      await storeAuditRow(sql, someRow(8))
      throw new Error('no')
    }),
  )
  await write(log, 2)
  assert.equal(total(await sealAll(log)), 4)
  assert.equal((await log.verify()).ok, true)
})

test('concurrent sealers make one chain with every row, while rows are written', async () => {
  const log = await newLog()
  let writing = true
  const sealer = async () => {
    while (writing) await log.seal()
  }
  const writer = async () => {
    for (let i = 0; i < 30; i += 1) await write(log, 7)
  }
  const sealers = [sealer(), sealer(), sealer()]
  await Promise.all([writer(), writer()])
  writing = false
  await Promise.all(sealers)
  await sealAll(log)
  const { ok, bad, rows, unsealed } = await log.verify()
  assert.deepEqual({ ok, bad, rows, unsealed }, { ok: true, bad: null, rows: 420, unsealed: 0 })
})

test('a block is bounded, and the rest comes in the next ones', async () => {
  const log = await newLog()
  await log.query(`select audit_append($1::jsonb) from generate_series(1, ${rows_per_block + 5})`, [
    JSON.stringify(someRow(1)),
  ])
  const counts = (await sealAll(log)).map(({ row_count }) => row_count)
  assert.deepEqual(counts, [rows_per_block, 5])
  assert.equal((await log.verify()).ok, true)
})

/**
 * Makes the log one of a cluster that is a million transactions older: rows and properly signed
 * blocks.
 */
async function age(log: Log): Promise<void> {
  const signer = openAuditSigner({ settings: log.settings })
  const older = (xid: string) => (xid === '0' ? xid : String(BigInt(xid) + 1_000_000n))
  const blocks = (await log.database.run(blocksAfter, { after: 0n, limit: 100 })).map(blockOf)
  await log.query('truncate audit_blocks')
  await log.query('update audit_logs set xid = (xid::text::bigint + 1000000)::text::xid8')
  let previous_hash = noBlockHash
  for (const { from_xid, to_xid, ...block } of blocks) {
    const fields = { ...block, from_xid: older(from_xid), to_xid: older(to_xid), previous_hash }
    const block_hash = blockHash(fields)
    const signature = signer.sign(Buffer.from(block_hash, 'hex'))
    await storeBlock(log.database, { ...fields, block_hash, signature })
    previous_hash = block_hash
  }
  // The note of the younger one.
  archiveNotedHead(log.settings.data_dir, new Date())
}

test('a dump restored to a younger cluster continues in a new era', async () => {
  const log = await sealedLog()
  await write(log, 2)
  await age(log)
  assert.equal((await log.verify()).ok, true)
  await write(log, 3)
  const counts = (await sealAll(log)).map(({ row_count }) => row_count)
  assert.deepEqual(counts, [2, 3], 'first what the dump had unsealed, then what is new')
  assert.equal((await log.seal()).block, null)
  const report = await log.verify()
  assert.deepEqual([report.ok, report.bad, report.rows, report.unsealed], [true, null, 17, 0])
  const eras = await log.query('select era, first_id from audit_eras order by era')
  assert.deepEqual(eras, [
    { era: 1, first_id: -(2n ** 63n) },
    { era: 2, first_id: 15n },
  ])
  assert.equal((await inclusionProof(log.database, 16n))?.block.era, 2)
  assert.equal((await inclusionProof(log.database, 14n))?.block.era, 1)
})

test('a row inserted into a closed era is named', async () => {
  const log = await sealedLog()
  await age(log)
  await write(log, 3)
  assert.equal((await sealAll(log)).at(-1)?.era, 2)
  await log.query('alter table audit_logs alter id drop identity')
  await log.query(
    `insert into audit_logs
     select (jsonb_populate_record(a, '{"id": -5, "xid": "99000000"}')).*
       from audit_logs a where id = 1`,
  )
  assert.deepEqual((await log.verify()).bad, { what: 'row', id: '-5', problem: 'is in no block' })
})
