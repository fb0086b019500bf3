// Sealing, verifying and proving, on a real database: what a superuser does to the log must be named.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../../kit/clock.ts'
import { blockHash, noBlockHash, readPublicKey } from './block.ts'
import { inclusionProof, verifyInclusion } from './proof.ts'
import { systemAuditRow } from './row.ts'
import { rows_per_block, sealBlock } from './seal.job.ts'
import { notedHead, openAuditSigner, trustedKeys } from './signer.ts'
import { blockOf, blocksAfter, storeAuditRow, storeBlock } from './store.ts'
import { verifyAudit } from './verify.ts'
import { verifyAuditCommand } from './verify-command.ts'

const scratch = mkdtempSync(join(tmpdir(), 'audit-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

type Log = TestDatabase & {
  settings: { audit_signing_key: string | null; data_dir: string }
  seal: () => ReturnType<typeof sealBlock>
  verify: () => ReturnType<typeof verifyAudit>
}

async function newLog(): Promise<Log> {
  const db = await testDatabase()
  const settings = { audit_signing_key: null, data_dir: mkdtempSync(join(scratch, 'data-')) }
  const signer = openAuditSigner({ settings })
  return {
    ...db,
    settings,
    seal: () => sealBlock(db.database, { signer, clock: systemClock }),
    verify: () => verifyAudit(db.database, trustedKeys({ settings })),
  }
}

function someRow(n: number) {
  return systemAuditRow(
    { action: `act_${n}`, agent_identifier: 'test', now: new Date(1_790_000_000_000 + n) },
    { target_type: 'thing', target: `thing-${n}`, metadata: { n } },
  )
}

async function write(log: Log, count: number): Promise<void> {
  await log.database.transaction(async (sql) => {
    await Promise.all(Array.from({ length: count }, (_one, n) => storeAuditRow(sql, someRow(n))))
  })
}

/** Three sealed blocks of four rows. */
async function sealedLog(): Promise<Log> {
  const log = await newLog()
  for (let block = 0; block < 3; block += 1) {
    await write(log, 4)
    assert.equal((await log.seal())?.block.row_count, 4)
  }
  return log
}

test('a sound log is good, row by row and block by block', async () => {
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

test('nothing new makes no block', async () => {
  const log = await sealedLog()
  assert.equal(await log.seal(), null)
  assert.equal((await log.verify()).blocks, 3)
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
    `update audit_logs set action = $1, target = $2, metadata = $3, created_at = $4, row_hash = decode($5, 'hex')
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
  await sealBlock(log.database, { signer, clock: systemClock })
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

test('cutting off the newest block with its rows shows against the noted head', async () => {
  const log = await sealedLog()
  await log.query('delete from audit_blocks where number = 3')
  await log.query('delete from audit_logs where id > 8')
  assert.equal((await log.verify()).ok, true, 'nothing inside the database can show it')
  const command = await verifyAuditCommand({ db: log.database, settings: log.settings })
  assert.equal(command.ok, false)
  assert.match(command.lines.join('\n'), /BAD newest block 3 was noted and is missing/)
})

test('the command says that a sound log is good', async () => {
  const log = await sealedLog()
  const { ok, lines } = await verifyAuditCommand({ db: log.database, settings: log.settings })
  assert.equal(ok, true)
  assert.match(lines.join('\n'), /3 blocks with 12 rows are good, 0 rows are not sealed/)
})

test('a row of a transaction that was open for long is never skipped', async () => {
  const log = await newLog()
  const slow = new pg.Client({ connectionString: log.url })
  await slow.connect()
  await slow.query('begin')
  await slow.query('select audit_append($1::jsonb)', [JSON.stringify(someRow(1))])
  await write(log, 3)
  assert.equal(await log.seal(), null, 'the quick rows wait for the slow one')
  await slow.query('commit')
  await slow.end()
  const sealed = await log.seal()
  assert.equal(sealed?.block.row_count, 4)
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
  assert.equal((await log.seal())?.block.row_count, 4)
  assert.equal((await log.verify()).ok, true)
})

test('many sealers at once, while rows are written, make one chain with every row', async () => {
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
  while (await log.seal());
  const { ok, bad, rows, unsealed } = await log.verify()
  assert.deepEqual({ ok, bad, rows, unsealed }, { ok: true, bad: null, rows: 420, unsealed: 0 })
})

test('a block is bounded, and the rest comes in the next ones', async () => {
  const log = await newLog()
  await log.query(`select audit_append($1::jsonb) from generate_series(1, ${rows_per_block + 5})`, [
    JSON.stringify(someRow(1)),
  ])
  const first = await log.seal()
  assert.deepEqual([first?.block.row_count, first?.more], [rows_per_block, true])
  assert.equal((await log.seal())?.block.row_count, 5)
  assert.equal((await log.verify()).ok, true)
})

/** Makes the log one of a cluster that is a million transactions older: rows and properly signed blocks. */
async function age(log: Log): Promise<void> {
  const signer = openAuditSigner({ settings: log.settings })
  const older = (xid: string) => (xid === '0' ? xid : String(BigInt(xid) + 1_000_000n))
  const blocks = (await log.database.run(blocksAfter, [0n, 100])).map(blockOf)
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
}

test('a dump restored to a younger cluster goes on in a new era', async () => {
  const log = await sealedLog()
  await write(log, 2)
  await age(log)
  assert.equal((await log.verify()).ok, true)
  await write(log, 3)
  const counts = [(await log.seal())?.block.row_count, (await log.seal())?.block.row_count]
  assert.deepEqual(counts, [2, 3], 'first what the dump had unsealed, then what is new')
  assert.equal(await log.seal(), null)
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

test('a row that was slipped into an era that is over is named', async () => {
  const log = await sealedLog()
  await age(log)
  await write(log, 3)
  assert.equal((await log.seal())?.block.era, 2)
  await log.query('alter table audit_logs alter id drop identity')
  await log.query(
    `insert into audit_logs
     select (jsonb_populate_record(a, '{"id": -5, "xid": "99000000"}')).* from audit_logs a where id = 1`,
  )
  assert.deepEqual((await log.verify()).bad, { what: 'row', id: '-5', problem: 'is in no block' })
})

test('inclusion can be checked offline with the public key alone', async () => {
  const log = await sealedLog()
  const [key] = [...trustedKeys({ settings: log.settings }).values()]
  assert.ok(key)
  const proof = await inclusionProof(log.database, 6n)
  assert.ok(proof)
  const sent = JSON.parse(JSON.stringify(proof))
  assert.equal(verifyInclusion(sent, key), true)
  assert.equal(verifyInclusion(sent, readPublicKey(proof.block.public_key)), true)
  assert.equal(verifyInclusion({ ...sent, row_hash: someRow(7).row_hash }, key), false)
  const later = { ...sent, block: { ...sent.block, created_at: '2020-01-01T00:00:00.000Z' } }
  assert.equal(verifyInclusion(later, key), false)
  const other = generateKeyPairSync('ed25519').publicKey
  assert.equal(verifyInclusion(sent, other), false)
  await write(log, 1)
  assert.equal(await inclusionProof(log.database, 13n), null, 'not sealed yet')
  assert.equal(await inclusionProof(log.database, 999n), null)
})

test('the signing key is made once, for its owner only, and stays trusted when another follows', () => {
  const data_dir = join(scratch, 'fresh')
  const settings = { audit_signing_key: null, data_dir }
  const first = openAuditSigner({ settings })
  assert.equal(statSync(join(data_dir, 'audit-signing-key.pem')).mode & 0o777, 0o600)
  assert.equal(openAuditSigner({ settings }).key_id, first.key_id)
  const { privateKey } = generateKeyPairSync('ed25519')
  const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const second = openAuditSigner({ settings: { audit_signing_key: der, data_dir } })
  assert.deepEqual([...trustedKeys({ settings }).keys()], [first.key_id, second.key_id])
  assert.equal(notedHead({ settings }), null)
  second.noteHead({ number: '7', block_hash: 'ab' })
  assert.deepEqual(notedHead({ settings }), { number: '7', block_hash: 'ab' })
  assert.match(readFileSync(join(data_dir, 'audit-signing-key.pem'), 'utf8'), /BEGIN PRIVATE KEY/)
  appendFileSync(join(data_dir, 'audit-trusted-keys.pem'), 'a note in between\n')
  assert.equal(trustedKeys({ settings }).size, 2)
})

test('a signing key that is none is one clear line without the key', () => {
  const settings = { audit_signing_key: 'c2VjcmV0', data_dir: join(scratch, 'bad') }
  assert.throws(
    () => openAuditSigner({ settings }),
    /^SettingError: AUDIT_SIGNING_KEY must be an Ed25519/,
  )
})
