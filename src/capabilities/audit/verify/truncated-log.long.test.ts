// Tampering under a running service: the database's owner removes or replaces parts of the log
// while customers buy, and neither sealer nor verifier loses the noted head.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startSandbox } from '../../../../sandbox/registry/index.ts'
import { newDatabase } from '../../../../test/support/database.ts'
import { startService } from '../../../../test/support/service.ts'
import { verifyAuditCommand } from './verify-command.ts'

const sandbox = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
after(() => sandbox.close())

let bought = 0

async function runningLog() {
  const database_url = await newDatabase('template_of_tests')
  const owner = new pg.Client({ connectionString: database_url })
  await owner.connect()
  const registrar = await startService({ database_url, sandbox })
  registrar.closers.push(() => owner.end())
  const { key: token } = await registrar.customer()
  const newest = async () =>
    String((await owner.query('select coalesce(max(number), 0) as n from audit_blocks')).rows[0].n)
  /** A purchase, and a block that seals it (after the tampering: or as long as one would take). */
  async function buy(most_tries = 400): Promise<void> {
    const before = await newest()
    bought += 1
    const domain = `cut-${process.pid}-${bought}.com`
    const { status, text } = await registrar.request('POST', '/v1/domains', {
      token,
      body: { domain },
    })
    assert.equal(status, 200, text)
    for (let tries = 0; tries < most_tries && (await newest()) === before; tries += 1)
      await sleep(100)
  }
  const { app } = registrar.service
  const verify = () => verifyAuditCommand({ db: app.db, settings: app.settings })
  const alarm = async () => {
    for (let tries = 0; ; tries += 1) {
      const { body } = await registrar.request('GET', '/v1/health')
      if (body.audit?.state === 'down') return body
      if (tries > 400) return body
      await sleep(100)
    }
  }
  return { registrar, owner, newest, buy, verify, alarm }
}
type RunningLog = Awaited<ReturnType<typeof runningLog>>

type Case = {
  name: string
  /** The tampering, with the number of the newest block before it. */
  tamper: (log: RunningLog) => Promise<void>
  /** The output of verify-audit; N is the number of the newest block before. */
  bad: RegExp
}

const cases: Case[] = [
  {
    name: 'the newest blocks and their rows are deleted',
    tamper: async ({ owner }) => {
      await owner.query(
        `delete from audit_logs a using audit_blocks b
          where b.number = (select max(number) - 2 from audit_blocks)
            and (a.xid, a.id) > (b.to_xid, b.to_id)`,
      )
      await owner.query(
        'delete from audit_blocks where number > (select max(number) - 2 from audit_blocks)',
      )
    },
    bad: /^BAD newest block N was noted and is missing/,
  },
  {
    name: 'everything is truncated',
    tamper: async ({ owner }) => {
      await owner.query('truncate audit_logs, audit_blocks restart identity')
    },
    bad: /^BAD newest block N was noted and is missing/,
  },
  {
    name: 'everything is truncated, eras too',
    tamper: async ({ owner }) => {
      await owner.query('truncate audit_logs, audit_blocks, audit_eras restart identity')
    },
    bad: /^BAD newest block N was noted and is missing/,
  },
  {
    name: 'one block in the middle is deleted',
    tamper: async ({ owner }) => {
      await owner.query('delete from audit_blocks where number = 2')
    },
    bad: /^BAD block 2 is missing: the next one is 3/,
  },
  {
    name: 'one sealed row is deleted',
    tamper: async ({ owner }) => {
      await owner.query(
        `delete from audit_logs where id = (select to_id from audit_blocks where number = 2)`,
      )
    },
    bad: /^BAD block 2 sealed \d+ rows, and there are \d+/,
  },
  {
    name: 'an older dump takes its place',
    tamper: async ({ owner }) => {
      for (const table of ['audit_logs', 'audit_blocks'])
        await owner.query(`create table old_${table} as select * from ${table}`)
      await owner.query(
        'delete from old_audit_blocks where number > (select max(number) - 3 from audit_blocks)',
      )
      await owner.query(
        `delete from old_audit_logs a using old_audit_blocks b
          where b.number = (select max(number) from old_audit_blocks)
            and (a.xid, a.id) > (b.to_xid, b.to_id)`,
      )
      await owner.query('truncate audit_logs, audit_blocks')
      for (const table of ['audit_logs', 'audit_blocks'])
        await owner.query(`insert into ${table} overriding system value select * from old_${table}`)
    },
    bad: /^BAD newest block N was noted and is missing/,
  },
  {
    name: 'the newest block is replaced by another',
    tamper: async ({ owner }) => {
      await owner.query(
        `update audit_blocks set block_hash = sha256(block_hash)
          where number = (select max(number) from audit_blocks)`,
      )
    },
    bad: /^BAD block N does not have the hash of its fields/,
  },
]

describe('under a running service', { concurrency: true }, () => {
  for (const { name, tamper, bad } of cases)
    test(name, async () => {
      const log = await runningLog()
      for (let n = 0; n < 5; n += 1) await log.buy()
      assert.equal((await log.verify()).ok, true)
      await log.buy()
      const newest = await log.newest()
      await tamper(log)
      for (let n = 0; n < 3; n += 1) await log.buy(15)
      const { ok, lines } = await log.verify()
      assert.equal(ok, false, lines.join('\n'))
      assert.match(lines[0] ?? '', new RegExp(bad.source.replace('N', newest)))
      const health = await log.alarm()
      assert.deepEqual([health.status, health.audit?.state], ['degraded', 'down'])
      assert.ok(log.registrar.logs.some((line) => line.includes('"alarm":"audit_log_')))
    })
})
