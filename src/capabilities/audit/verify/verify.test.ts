// Verification names tampering by a superuser: rows, blocks, the whole chain, and its end.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../../kit/clock.ts'
import { openAuditSigner } from '../chain/signer.ts'
import { scratch, sealAll, sealedLog, someRow, write } from '../jobs/log.fixture.ts'
import { sealBlock } from '../jobs/seal.job.ts'
import { verifyAuditCommand } from './verify-command.ts'

test('a sound log is valid, row by row and block by block', async () => {
  const log = await sealedLog()
  await write(log, 2)
  const report = await log.verify()
  assert.deepEqual(
    { ok: report.ok, bad: report.bad, blocks: report.blocks, rows: report.rows },
    { ok: true, bad: null, blocks: 3, rows: 12 },
  )
  assert.equal(report.unsealed, 2)
  assert.equal(report.head?.number, '3')
})

test('one changed byte names its row', async () => {
  const log = await sealedLog()
  await log.query("update audit_logs set target = 'thing-X' where id = 6")
  const report = await log.verify()
  assert.deepEqual([report.ok, report.bad?.what, report.bad?.id], [false, 'row', '6'])
  assert.equal(report.blocks, 1)
})

test('a change with a new hash that fits it names its block', async () => {
  const log = await sealedLog()
  const forged = someRow(99)
  await log.query(
    `update audit_logs set action = $1, target = $2, metadata = $3, created_at = $4,
            row_hash = decode($5, 'hex')
      where id = 6`,
    [
      forged.action,
      forged.target,
      JSON.stringify(forged.metadata),
      forged.created_at,
      forged.row_hash,
    ],
  )
  const report = await log.verify()
  assert.deepEqual([report.bad?.what, report.bad?.id], ['block', '2'])
  assert.match(report.bad?.problem ?? '', /other rows/)
})

test('a row changed before it was sealed is named too', async () => {
  const log = await sealedLog()
  await write(log, 3)
  await log.query(`update audit_logs set metadata = '{"n": 1e400}' where id = 14`)
  assert.deepEqual((await log.verify()).bad?.id, '14')
})

test('deleting the last row names its block', async () => {
  const log = await sealedLog()
  await log.query('delete from audit_logs where id = 12')
  const report = await log.verify()
  assert.deepEqual([report.bad?.what, report.bad?.id], ['block', '3'])
  assert.match(report.bad?.problem ?? '', /sealed 4 rows, and there are 3/)
})

test('deleting a row in the middle names its block', async () => {
  const log = await sealedLog()
  await log.query('delete from audit_logs where id = 7')
  assert.deepEqual((await log.verify()).bad?.id, '2')
})

test('swapping two rows names their block', async () => {
  const log = await sealedLog()
  await log.query('alter table audit_logs alter id drop identity')
  await log.query('update audit_logs set id = -1 where id = 1')
  await log.query('update audit_logs set id = 1 where id = 2')
  await log.query('update audit_logs set id = 2 where id = -1')
  const report = await log.verify()
  assert.deepEqual([report.bad?.what, report.bad?.id], ['block', '1'])
})

test('rewriting the whole chain with another key names the first block', async () => {
  const log = await sealedLog()
  await log.query('truncate audit_blocks')
  await log.query("update audit_logs set target = 'mine', row_hash = sha256(target::bytea)")
  const settings = { audit_signing_key: null, data_dir: mkdtempSync(join(scratch, 'forger-')) }
  const signer = openAuditSigner({ settings })
  const seal = () => sealBlock(log.database, { signer, clock: systemClock, settings })
  await sealAll({ ...log, seal })
  const report = await log.verify()
  assert.deepEqual([report.bad?.what, report.bad?.id], ['block', '1'])
  assert.match(report.bad?.problem ?? '', /not trusted/)
})

test('a changed, missing or foreign block is named', async () => {
  const changes: [sql: string, number: string][] = [
    ['update audit_blocks set row_count = 5 where number = 2', '2'],
    ['delete from audit_blocks where number = 2', '2'],
    ["update audit_blocks set created_at = created_at + interval '1 s' where number = 3", '3'],
    [
      'update audit_blocks set signature = (select signature from audit_blocks where number = 1)',
      '2',
    ],
    ['insert into audit_eras values (2, 3)', '1'],
  ]
  for (const [sql, number] of changes) {
    const log = await sealedLog()
    await log.query(sql)
    const { bad } = await log.verify()
    assert.deepEqual([bad?.what, bad?.id], ['block', number], sql)
  }
})

test('cutting off the newest block with its rows is detected by the noted head', async () => {
  const log = await sealedLog()
  await log.query('delete from audit_blocks where number = 3')
  await log.query('delete from audit_logs where id > 8')
  assert.equal((await log.verify()).ok, true, 'nothing inside the database can show it')
  const command = await verifyAuditCommand({ db: log.database, settings: log.settings })
  assert.equal(command.ok, false)
  assert.match(command.lines.join('\n'), /BAD newest block 3 was noted and is missing/)
})

test('the command reports a valid log', async () => {
  const log = await sealedLog()
  const { ok, lines } = await verifyAuditCommand({ db: log.database, settings: log.settings })
  assert.equal(ok, true)
  assert.match(lines.join('\n'), /is valid: 3 blocks with 12 rows; 0 rows are not sealed/)
})
