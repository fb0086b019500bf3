// Restored databases: sealing stops until an operator accepts the state, by a permanent signed link
// of the chain.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { systemClock } from '../../../kit/clock.ts'
import { notedHead } from '../chain/noted-head.ts'
import { openAuditSigner } from '../chain/signer.ts'
import { type Log, scratch, sealAll, sealedLog, write } from '../jobs/log.fixture.ts'
import { sealBlock } from '../jobs/seal.job.ts'
import { acceptRestoredAudit } from './accept-restored.ts'
import { verifyAuditCommand } from './verify-command.ts'

const reason = 'Disk of db-1 died; dump of 03:00 restored'

/** As the command does: on a connection with the rights of the owner of the tables. */
async function accept(log: Log) {
  return acceptRestoredAudit({ db: log.owner, settings: log.settings }, reason)
}

function verify({ database, settings }: Log, saved: string | null = null) {
  return verifyAuditCommand({ db: database, settings, saved })
}

const cutToOne = [
  'delete from audit_blocks where number > 1',
  'delete from audit_logs where id > 4',
]
const losses: { name: string; sql: string[]; kept: string; era: number }[] = [
  { name: 'an older state', sql: cutToOne, kept: '1', era: 2 },
  {
    name: 'an older state and rows that were never sealed in it',
    sql: ['delete from audit_blocks where number > 1', 'delete from audit_logs where id > 6'],
    kept: '1',
    era: 2,
  },
  { name: 'nothing', sql: ['truncate audit_logs, audit_blocks'], kept: '0', era: 2 },
  {
    name: 'nothing, with ids that begin again and no eras',
    sql: ['truncate audit_logs, audit_blocks, audit_eras restart identity'],
    kept: '0',
    era: 1,
  },
  {
    name: 'an older state without its eras',
    sql: [...cutToOne, 'delete from audit_eras'],
    kept: '1',
    era: 2,
  },
]

describe('a database restored to', () => {
  for (const { name, sql, kept, era } of losses)
    test(name, async () => {
      const log = await sealedLog()
      for (const one of sql) await log.query(one)
      await write(log, 3)
      const refused = await log.seal()
      assert.equal(refused.block, null)
      assert.match(refused.problem?.detail ?? '', /was noted and is missing|era of the newest/)
      assert.equal((await verify(log)).ok, false)

      const accepted = await accept(log)
      assert.equal(accepted.ok, true, accepted.lines.join('\n'))
      assert.equal((await verify(log)).ok, true, 'before the first block on top')
      const [first] = await sealAll(log)
      assert.equal(first?.number, '5', 'after the restoration, which is 4')
      const { ok, lines } = await verify(log)
      assert.equal(ok, true, lines.join('\n'))
      const from = Number(kept) + 1
      assert.equal(
        lines.at(-1)?.replace(/on \S+,/, 'on T,'),
        `Restored: numbers ${from} to 3 were abandoned on T, and era ${era} began: ${reason}`,
      )
      await write(log, 2)
      assert.ok((await sealAll(log)).length > 0, 'and sealing continues')
      assert.equal((await log.verify()).unsealed, 0)
      assert.equal((await verify(log)).ok, true)
    })
})

async function restoredLog(): Promise<Log> {
  const log = await sealedLog()
  for (const one of cutToOne) await log.query(one)
  await accept(log)
  await sealAll(log)
  return log
}

test('a restoration cannot be taken out, changed or used twice', async () => {
  const changes: [sql: string[], bad: RegExp][] = [
    [['delete from audit_restorations'], /BAD block 2 is missing: the next one is 5/],
    [
      [`update audit_restorations set reason = 'nothing happened'`],
      /BAD restoration 4 does not have the hash of its fields/,
    ],
    [
      ['delete from audit_blocks where number > 4', 'delete from audit_logs where id > 4'],
      /BAD newest block \d+ was noted and is missing/,
    ],
    [
      [...cutToOne, 'delete from audit_restorations'],
      /BAD newest block \d+ was noted and is missing/,
    ],
  ]
  for (const [sql, bad] of changes) {
    const log = await restoredLog()
    for (const one of sql) await log.query(one)
    const { ok, lines } = await verify(log)
    assert.equal(ok, false, sql.join('; '))
    assert.match(lines[0] ?? '', bad)
  }
})

test('a restoration that another key signed excuses nothing', async () => {
  const log = await sealedLog()
  for (const one of cutToOne) await log.query(one)
  const settings = { audit_signing_key: null, data_dir: mkdtempSync(join(scratch, 'forger-')) }
  const signer = openAuditSigner({ settings })
  const noted = notedHead(log)
  assert.ok(noted)
  signer.noteHead(noted)
  // The forger trusts the blocks; the node does not trust the forger.
  const forger = { ...settings, audit_signing_key: null }
  const { ok } = await acceptRestoredAudit({ db: log.owner, settings: forger }, 'trust me')
  assert.equal(ok, false, 'the newest block is not signed with a key that this folder trusts')
  await log.query('delete from audit_blocks')
  await log.query('delete from audit_logs')
  assert.equal((await acceptRestoredAudit({ db: log.owner, settings: forger }, 'now')).ok, true)
  await write(log, 1)
  assert.match((await log.seal()).problem?.detail ?? '', /was noted and is missing/)
  assert.match((await verify(log)).lines[0] ?? '', /BAD restoration 4 is signed with key/)
})

test('there is nothing to accept where nothing is lost', async () => {
  const log = await sealedLog()
  const { ok, lines } = await accept(log)
  assert.deepEqual([ok, lines.length], [true, 1])
  assert.match(lines[0] ?? '', /nothing to accept/)
  assert.deepEqual(await log.query('select from audit_restorations'), [])
})

test('a saved head that a restoration gave up is still named, with the reason', async () => {
  const log = await sealedLog()
  const saved = JSON.stringify(notedHead(log))
  assert.equal((await verify(log, saved)).ok, true)
  for (const one of cutToOne) await log.query(one)
  await accept(log)
  await sealAll(log)
  const { ok, lines } = await verify(log, saved)
  assert.equal(ok, false)
  assert.match(
    lines[0] ?? '',
    /BAD newest block 3 was abandoned by the restoration of .*Disk of db-1/,
  )
})

test('a saved head that is none, or not signed by us, is refused', async () => {
  const log = await sealedLog()
  const head = notedHead(log)
  for (const text of ['', '{}', '{"number": 3}', 'x'])
    assert.match((await verify(log, text)).lines[0] ?? '', /holds no head/)
  const forged = { ...head, kind: 'block', era: 1, created_at: 'x', key_id: 'k', signature: 'AAAA' }
  const { lines } = await verify(log, JSON.stringify(forged))
  assert.match(lines[0] ?? '', /BAD saved head 3 is signed with key k, which is not trusted/)
})

test('a node refuses to seal over what another node noted', async () => {
  const log = await sealedLog()
  for (const one of cutToOne) await log.query(one)
  await write(log, 2)
  // Another node, which saw the log for the first time after the cut.
  const settings = { audit_signing_key: null, data_dir: mkdtempSync(join(scratch, 'second-')) }
  const signer = openAuditSigner({ settings })
  const second = () => sealBlock(log.database, { signer, clock: systemClock, settings })
  await log.query(
    `insert into audit_alarms (subject, stops_sealing, detail) values ('block 3', true, 'cut')`,
  )
  assert.equal((await second()).block, null)
  await log.query(`update audit_alarms set seen_at = now() - interval '11 seconds'`)
  const sealed = await sealAll({ ...log, seal: second })
  assert.deepEqual(
    sealed.map(({ number }) => number),
    ['2'],
    'an alarm that is not repeated expires',
  )
})
