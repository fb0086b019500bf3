// Archives of partitions: written, verified, recorded and dropped; verified with and without their
// files; continued after a crash; and refused while rows are not sealed.
import assert from 'node:assert/strict'
import { existsSync, linkSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { app_role } from '../../../../test/support/database.ts'
import { readPublicKey } from '../chain/block.ts'
import { inclusionProof, verifyInclusion } from '../chain/inclusion-proof.ts'
import { sealAll, write } from '../jobs/log.fixture.ts'
import { failTheDrop, first, oldLog, sealRest, second, writeAt } from './archive.fixture.ts'
import { archivedProofCommand } from './archived-proof.ts'

const text = ({ lines }: { lines: string[] }) => lines.join('\n')

describe('archiving the oldest partition', () => {
  test('keeps the log verifiable with the archive, and says what is unchecked without it', async () => {
    const log = await oldLog()
    const whole = await log.command(null)
    assert.match(text(whole), /The audit log is valid: 5 blocks with 11 rows/)
    const done = await log.archive(first)
    assert.equal(done.ok, true, text(done))
    assert.match(text(done), /Archived audit_logs_2023_01: 6 rows, of blocks 1 to 3/)
    const left = await log.query('select id::int from audit_logs where id < 12 order by id')
    assert.deepEqual(
      left.map(({ id }) => id),
      [6, 8, 9, 10, 11],
    )
    await sealRest(log)
    const read = await log.command(log.dir)
    assert.equal(read.ok, true, text(read))
    assert.match(text(read), /The audit log is valid: 6 blocks with 12 rows/)
    const unread = await log.command(null)
    assert.equal(unread.ok, true)
    assert.deepEqual(
      unread.report?.unread.map(({ name }) => name),
      [first],
    )
    assert.doesNotMatch(text(unread), /is valid:/)
    assert.match(text(unread), /NOT COMPLETE.*6 blocks with 6 rows/)
    assert.match(text(unread), /Not checked: archive audit_logs_2023_01, 6 rows of blocks 1 to 3/)
  })

  test('continues with the next quarter, whose block is shared by both archives', async () => {
    const log = await oldLog()
    assert.equal((await log.archive(first)).ok, true)
    const done = await log.archive(second)
    assert.equal(done.ok, true, text(done))
    assert.match(text(done), /4 rows, of blocks 3 to 5/)
    const read = await log.command(log.dir)
    assert.match(text(read), /is valid: 5 blocks with 11 rows; 2 rows are not sealed/)
    assert.deepEqual(read.report?.unread, [])
    rmSync(join(log.dir, `${second}.jsonl.gz`))
    const missing = await log.command(log.dir)
    assert.equal(missing.ok, false)
    assert.match(text(missing), /BAD archive audit_logs_2023_04 is missing/)
  })
})

describe('an archived partition', () => {
  test('leaves files that only their owner may read, and records itself in the log', async () => {
    const log = await oldLog()
    await log.archive(first)
    assert.deepEqual(readdirSync(log.dir).sort(), [`${first}.json`, `${first}.jsonl.gz`])
    for (const name of readdirSync(log.dir))
      assert.equal(statSync(join(log.dir, name)).mode & 0o777, 0o600)
    const [row] = await log.query(
      `select target, metadata->>'row_count' as count, metadata->>'sha256' as sha256
         from audit_logs where action = 'archive_audit'`,
    )
    const [record] = await log.query(`select encode(sha256, 'hex') as sha256 from audit_archives`)
    assert.deepEqual(row, { target: first, count: '6', sha256: record?.sha256 })
  })

  test('gives the service no right to change the records, or to drop a partition', async () => {
    const log = await oldLog()
    await log.archive(first)
    const app = new pg.Client(log.url)
    await app.connect()
    await app.query(`set role ${app_role}`)
    for (const sql of [
      ...['audit_archives', 'audit_archived_leaves'].flatMap((table) => [
        `delete from ${table}`,
        `truncate ${table}`,
        `insert into ${table} select * from ${table}`,
      ]),
      "update audit_archives set sha256 = ''",
      "update audit_archived_leaves set row_hash = ''",
      `select audit_archive_partition('{}')`,
      'delete from audit_logs',
      `delete from ${second}`,
      `drop table ${second}`,
    ])
      await assert.rejects(app.query(sql), { code: '42501' }, sql)
    await app.end()
  })
})

describe('proofs', () => {
  test('of rows that stayed in a shared block need no archive', async () => {
    const log = await oldLog()
    await log.archive(first)
    const proof = await inclusionProof(log.database, 6n)
    assert.ok(proof && verifyInclusion(proof, readPublicKey(proof.block.public_key)))
    assert.deepEqual([proof.block.number, proof.inclusion.tree_size], ['3', 3])
    assert.equal(await inclusionProof(log.database, 5n), null)
  })

  test('of archived rows are made from the files alone, as they were before', async () => {
    const log = await oldLog()
    const before = await inclusionProof(log.database, 7n)
    await log.archive(first)
    const { settings, dir } = log
    const { ok, lines } = await archivedProofCommand({ settings, dir, id: '7' })
    assert.equal(ok, true, lines.join())
    const { canonical_row, ...proof } = JSON.parse(lines.join('\n'))
    assert.deepEqual(proof, before)
    assert.match(canonical_row, /"target":"thing-2"/)
    const other = await archivedProofCommand({ settings, dir, id: '6' })
    assert.equal(other.ok, false)
    assert.match(other.lines.join(), /No archive/)
  })
})

describe('archiving is refused', () => {
  test('for a partition that is not the oldest, is current, the default, or unknown', async () => {
    const log = await oldLog()
    const [newest] = await log.query(
      "select name from partitions where parent = 'audit_logs' order by ends_at desc limit 1",
    )
    for (const name of [second, String(newest?.name), 'audit_logs_default', 'orders'])
      assert.match(text(await log.archive(name)), /Only the oldest partition can be archived/)
  })

  test('less than a year after its end', async () => {
    const log = await oldLog()
    for (const { name } of await log.query(
      `select name from partitions
        where parent = 'audit_logs' and ends_at < now() - interval '1 year'`,
    )) {
      await log.query(`drop table ${name}`)
      await log.query('delete from partitions where name = $1', [name])
    }
    const [oldest] = await log.query(
      "select name from partitions where parent = 'audit_logs' order by ends_at limit 1",
    )
    const name = String(oldest?.name)
    assert.match(text(await log.archive(name)), /has not ended at least a year ago/)
    await assert.rejects(
      log.query(
        `select audit_archive_partition(jsonb_build_object('name', name, 'ends_at', ends_at))
           from partitions where name = $1`,
        [name],
      ),
      /ended less than a year ago/,
    )
  })

  test('while a row of it is not sealed', async () => {
    const log = await oldLog()
    await writeAt(log, ['2023-01-05T00:00:00Z'])
    const { ok, lines } = await log.archive(first)
    assert.equal(ok, false)
    assert.match(lines.join(), /BAD row 12 is not sealed yet/)
    assert.deepEqual(readdirSync(log.dir), [])
  })

  test('when a row or a block was changed, or the noted head is missing', async () => {
    const log = await oldLog()
    await log.query("update audit_logs set target = 'x' where id = 2")
    assert.match(text(await log.archive(first)), /BAD row 2 does not match its hash/)
    const cut = await oldLog()
    await cut.query('delete from audit_blocks where number = 5')
    assert.match(text(await cut.archive(first)), /was noted and is missing/)
  })
})

describe('after a crash', () => {
  test('while the file was written, a new run writes it again', async () => {
    const log = await oldLog()
    writeFileSync(join(log.dir, `${first}.jsonl.gz.00.partial`), 'half')
    writeFileSync(join(log.dir, `${first}.00.partial`), 'half')
    assert.equal((await log.archive(first)).ok, true)
    assert.deepEqual(readdirSync(log.dir).sort(), [`${first}.json`, `${first}.jsonl.gz`])
  })

  test('before the partition was dropped, nothing is lost and a new run continues', async () => {
    const log = await oldLog()
    const goOn = await failTheDrop(log)
    await assert.rejects(log.archive(first), /stopped/)
    assert.match(text(await log.command(null)), /valid: 5 blocks with 11 rows/)
    assert.match(text(await log.command(log.dir)), /valid: 5 blocks with 11 rows/)
    const manifest = join(log.dir, `${first}.json`)
    rmSync(manifest)
    const unfinished = join(log.dir, `${first}.jsonl.gz.00.partial`)
    linkSync(join(log.dir, `${first}.jsonl.gz`), unfinished)
    await assert.rejects(log.archive(first), /stopped/)
    assert.deepEqual([existsSync(manifest), existsSync(unfinished)], [true, false])
    await goOn()
    assert.equal((await log.archive(first)).ok, true)
    assert.match(text(await log.archive(first)), /already archived, and its archive is valid/)
  })

  test('with a file that is not the archive, the file and the partition stay', async () => {
    const log = await oldLog()
    writeFileSync(join(log.dir, `${first}.jsonl.gz`), 'other')
    assert.match(text(await log.archive(first)), /is truncated or damaged/)
    assert.match(text(await log.command(null)), /valid: 5 blocks with 11 rows/)
    assert.deepEqual(readdirSync(log.dir), [`${first}.jsonl.gz`])
  })

  test('keeps both the partition and the archive when the partition has gained rows', async () => {
    const log = await oldLog()
    const goOn = await failTheDrop(log)
    await assert.rejects(log.archive(first), /stopped/)
    await goOn()
    await writeAt(log, ['2023-01-05T00:00:00Z'])
    await sealAll(log)
    assert.match(text(await log.archive(first)), /has 6 rows, and the partition 7/)
    assert.match(text(await log.command(null)), /valid: 6 blocks with 12 rows/)
    for (const file of readdirSync(log.dir)) rmSync(join(log.dir, file))
    assert.match(text(await log.archive(first)), /7 rows/)
    assert.match(text(await log.command(log.dir)), /valid: 6 blocks with 12 rows/)
  })
})

describe('while the log is in use', () => {
  test('writers and the sealer go on, and a scan at the same time finds nothing wrong', async () => {
    const log = await oldLog()
    let going = true
    const busy = (async () => {
      while (going) {
        await write(log, 3)
        await log.seal()
      }
    })()
    const scans = (async () => {
      const results: string[] = []
      while (going) {
        const { bad } = await log.verify()
        if (bad) results.push(`${bad.what} ${bad.id} ${bad.problem}`)
      }
      return results
    })()
    const done = [await log.archive(first), await log.archive(second)]
    going = false
    await busy
    assert.deepEqual(await scans, [])
    assert.deepEqual(
      done.map(({ ok, lines }) => [ok, lines.length]),
      [
        [true, 3],
        [true, 3],
      ],
    )
    assert.equal((await log.command(log.dir)).ok, true)
  })

  test('a row that comes to the partition after the archive was read stops the drop', async () => {
    const log = await oldLog()
    const writer = new pg.Client(log.url)
    await writer.connect()
    await writer.query(
      `begin; insert into audit_logs (entry_point, action, actor_type, agent_identifier, result,
         metadata, created_at, row_hash)
       values ('job', 'x', 'system', 'x', 'success', '{}', '2023-01-01', sha256('x'))`,
    )
    const running = log.archive(first)
    const settled = running.then(
      () => 'archived',
      (error) => String(error),
    )
    for (;;) {
      const [waits] = await log.query(
        `select count(*)::int as locks from pg_locks l join pg_database d on d.oid = l.database
          where not l.granted and d.datname = current_database()`,
      )
      if (Number(waits?.locks) > 0) break
    }
    await writer.query('commit')
    await writer.end()
    assert.match(await settled, /other rows than its archive|lock timeout/)
    assert.match(text(await log.command(null)), /5 blocks/)
  })
})
