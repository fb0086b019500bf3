// Verification names tampering with archives, and with the records that stay in the database.
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  type ArchivedLog,
  first,
  oldLog,
  otherOldLog,
  rewrite,
  sealRest,
  second,
} from './archive.fixture.ts'
import { archivedProofCommand } from './archived-proof.ts'

async function archived(): Promise<ArchivedLog> {
  const log = await oldLog()
  const { ok, lines } = await log.archive(first)
  assert.equal(ok, true, lines.join('\n'))
  await sealRest(log)
  return log
}

const typeOf = (line: string) => String(JSON.parse(line).type)
/** With the first line of a type after the third line changed. */
const changed = (lines: string[], type: string, change: (line: string) => string) => {
  const place = lines.findIndex((line, n) => n > 2 && typeOf(line) === type)
  return lines.map((line, n) => (n === place ? change(line) : line))
}

const inFiles: { name: string; tamper: (log: ArchivedLog) => unknown; bad: RegExp }[] = [
  {
    name: 'a row is altered',
    tamper: (log) =>
      rewrite(log, first, (lines) =>
        changed(lines, 'row', (line) => line.replace('"thing-', '"thinG-')),
      ),
    bad: /^BAD archive audit_logs_2023_01 is not valid: block 1 sealed other rows/,
  },
  {
    name: 'a row is missing',
    tamper: (log) =>
      rewrite(log, first, (lines) => lines.filter((line, n) => n !== 2 || typeOf(line) !== 'row')),
    bad: /is not valid: block 1 sealed 2 rows, and there are 1/,
  },
  {
    name: 'two rows are swapped',
    tamper: (log) =>
      rewrite(log, first, ([header = '', block = '', a = '', b = '', ...rest]) => {
        return [header, block, b, a, ...rest]
      }),
    bad: /is not valid: block 1 has rows in another order/,
  },
  {
    name: 'a block is altered',
    tamper: (log) =>
      rewrite(log, first, (lines) =>
        changed(lines, 'block', (line) => line.replace(/"row_count":\d+/, '"row_count":9')),
      ),
    bad: /is not valid: block 2 does not have the hash of its fields/,
  },
  {
    name: 'a block is missing',
    tamper: (log) =>
      rewrite(log, first, (lines) => {
        const kept = lines.filter((_line, n) => n < 1 || n > 3)
        return kept.map((line) => line.replace('"blocks":3,"rows":6', '"blocks":2,"rows":4'))
      }),
    bad: /^BAD archive audit_logs_2023_01 is not the file that was recorded/,
  },
  {
    name: 'a row is made a hash',
    tamper: async (log) => {
      const [row] = await log.query('select row_hash from audit_archived_leaves where id = 5')
      await rewrite(log, first, (lines) =>
        lines.map((line) => {
          const { type, id, xid } = JSON.parse(line)
          if (type === 'end') return line.replace('"rows":6', '"rows":5')
          if (type !== 'row' || id !== '5') return line
          const row_hash = row?.row_hash
          assert.ok(Buffer.isBuffer(row_hash))
          return JSON.stringify({ type: 'leaf', xid, id, row_hash: row_hash.toString('hex') })
        }),
      )
    },
    bad: /is not the file that was recorded/,
  },
  {
    name: 'its end is cut off',
    tamper: ({ dir }) => truncateSync(join(dir, `${first}.jsonl.gz`), 700),
    bad: /is truncated or damaged/,
  },
  {
    name: 'its last line is missing',
    tamper: (log) => rewrite(log, first, (lines) => lines.slice(0, -1)),
    bad: /is truncated: its last line is missing/,
  },
  {
    name: 'a line is none of its format',
    tamper: (log) => rewrite(log, first, (lines) => [...lines.slice(0, -1), '{"type":"note"}']),
    bad: /has a line that does not fit the format/,
  },
  {
    name: 'it is packed again',
    tamper: (log) => rewrite(log, first, (lines) => lines.map((line) => line.replace('{', '{ '))),
    bad: /is not the file that was recorded/,
  },
  {
    name: 'it is the archive of another service',
    tamper: async ({ dir }) => {
      const other = await otherOldLog()
      await other.archive(first)
      for (const file of [`${first}.jsonl.gz`, `${first}.json`])
        copyFileSync(join(other.dir, file), join(dir, file))
    },
    bad: /is not valid: block 1 is signed with key \w+, which is not trusted/,
  },
  {
    name: 'it is the archive of another partition',
    tamper: async (log) => {
      await log.archive(second)
      copyFileSync(join(log.dir, `${second}.jsonl.gz`), join(log.dir, `${first}.jsonl.gz`))
    },
    bad: /^BAD archive audit_logs_2023_01 is the archive of audit_logs_2023_04/,
  },
  {
    name: 'it is missing',
    tamper: ({ dir }) => rmSync(join(dir, `${first}.jsonl.gz`)),
    bad: /^BAD archive audit_logs_2023_01 is missing/,
  },
]

describe('an archive whose file was tampered with is named:', { concurrency: 2 }, () => {
  for (const { name, tamper, bad } of inFiles)
    test(name, async () => {
      const log = await archived()
      await tamper(log)
      const { ok, lines } = await log.command(log.dir)
      assert.equal(ok, false, lines.join('\n'))
      assert.match(lines[0] ?? '', bad)
      const without = await log.command(null)
      assert.deepEqual([without.ok, without.report?.unread.length === 0], [true, false])
    })
})

const inDatabase: { name: string; sql: string; bad: RegExp }[] = [
  {
    name: 'the record is deleted',
    sql: `with gone as (delete from audit_archived_leaves) delete from audit_archives`,
    bad: /^BAD block 1 sealed 2 rows, and there are 0/,
  },
  {
    name: 'the record is altered',
    sql: `update audit_archives set whole_blocks = '[{"from": "1", "to": "4"}]'`,
    bad: /^BAD archive audit_logs_2023_01 does not have the hash of its fields/,
  },
  {
    name: 'a record is invented',
    sql: `insert into audit_archives
          select name || 'b', ends_at, ends_at + interval '1 day', 2, 9, 10, 4, 4,
                 '[{"from": "4", "to": "4"}]', '[]', merkle_root, sha256, key_id, created_at,
                 sha256(record_hash), signature, public_key from audit_archives`,
    bad: /^BAD archive audit_logs_2023_01b does not have the hash of its fields/,
  },
  {
    name: 'a hash in a shared block is altered',
    sql: 'update audit_archived_leaves set row_hash = sha256(row_hash) where id = 5',
    bad: /^BAD block 3 sealed other rows/,
  },
  {
    name: 'a present row of a shared block is declared archived',
    sql: `with gone as (delete from audit_logs where id = 6 returning *)
          insert into audit_archived_leaves
          select 3, xid, id, '${first}', row_hash from gone`,
    bad: /^BAD block 3 has 3 rows in archive audit_logs_2023_01, which states 2/,
  },
  {
    name: 'a present row of a shared block is deleted',
    sql: 'delete from audit_logs where id = 6',
    bad: /^BAD block 3 sealed 3 rows, and there are 2/,
  },
  {
    name: 'a row is added to an archived block',
    sql: `insert into audit_logs (id, xid, entry_point, action, actor_type, agent_identifier,
            result, metadata, created_at, row_hash) overriding system value
          select to_id - 1, to_xid, 'job', 'x', 'system', 'x', 'success', '{}', now(), sha256('x')
            from audit_blocks where number = 2`,
    bad: /^BAD row 3 does not match its hash|^BAD row 3 is in no block/,
  },
]

describe('tampering with the database is named with and without the archive:', () => {
  for (const { name, sql, bad } of inDatabase)
    test(name, async () => {
      const log = await archived()
      await log.query(sql)
      for (const dir of [null, log.dir]) {
        const { ok, lines } = await log.command(dir)
        assert.equal(ok, false, lines.join('\n'))
        assert.match(lines[0] ?? '', bad)
      }
    })
})

describe('proofs from an archive', () => {
  test('are refused when the archive or its manifest is not valid', async () => {
    const log = await archived()
    const { settings, dir } = log
    const manifest = join(dir, `${first}.json`)
    const good = readFileSync(manifest, 'utf8')
    const proof = async () => (await archivedProofCommand({ settings, dir, id: '2' })).lines.join()
    writeFileSync(manifest, good.replace('"row_count": "6"', '"row_count": "7"'))
    assert.match(await proof(), /BAD archive \S+ has a manifest that does not have the hash/)
    writeFileSync(manifest, '{}')
    assert.match(await proof(), /has no readable manifest/)
    writeFileSync(manifest, good)
    await rewrite(log, first, (lines) => lines.map((line) => line.replace('{', '{ ')))
    assert.match(await proof(), /is not the file that was recorded/)
  })
})
