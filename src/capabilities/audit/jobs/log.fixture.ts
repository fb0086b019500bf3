// A log in a database of its own, with its own key, and the steps that tests of it share.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts'
import { type Database, openDatabase } from '../../../db/database.ts'
import { systemClock } from '../../../kit/clock.ts'
import { storeAuditRow } from '../chain/audit.sql.ts'
import type { Block } from '../chain/block.ts'
import { openAuditSigner, trustedKeys } from '../chain/signer.ts'
import { systemAuditRow } from '../rows/row.ts'
import { verifyAudit } from '../verify/verify.ts'
import { sealBlock } from './seal.job.ts'

export const scratch = mkdtempSync(join(tmpdir(), 'audit-'))
const open: Log[] = []
after(async () => {
  rmSync(scratch, { recursive: true, force: true })
  await Promise.all(open.map((one) => one.close()))
})

export type Log = TestDatabase & {
  /** A connection as the owner of the tables, with rights that the service lacks. */
  owner: Database
  settings: { audit_signing_key: string | null; data_dir: string }
  seal: () => ReturnType<typeof sealBlock>
  verify: () => ReturnType<typeof verifyAudit>
}

export const newLog = (): Promise<Log> => openLog({})

/** The parts of a clone, for which another log's database and folder are given. */
async function openLog(of: { template?: string; data_dir?: string }): Promise<Log> {
  const db = await testDatabase({}, of.template)
  const settings = { audit_signing_key: null, data_dir: mkdtempSync(join(scratch, 'data-')) }
  if (of.data_dir !== undefined) cpSync(of.data_dir, settings.data_dir, { recursive: true })
  const signer = openAuditSigner({ settings })
  const owner = await openDatabase({ url: db.url, pool_size: 2 })
  let closed: Promise<unknown> | undefined
  const log: Log = {
    ...db,
    owner,
    settings,
    seal: () => sealBlock(db.database, { signer, clock: systemClock, settings }),
    verify: () => verifyAudit(db.database, trustedKeys({ settings })),
    async close() {
      closed ??= Promise.all([owner.close(), db.close()])
      await closed
    },
  }
  open.push(log)
  return log
}

/**
 * Makes a log once for the file. Each call answers a copy, with the key and the noted head: the
 * same steps in a new database take ten times the processor time of its clone.
 */
export function copiesOf(make: () => Promise<Log>): () => Promise<Log> {
  let made: Promise<Log> | undefined
  return async () => {
    made ??= make().then(async (log) => {
      // A database with connections cannot be cloned.
      await log.close()
      return log
    })
    const { url, settings } = await made
    return openLog({
      template: new URL(url).pathname.slice(1),
      data_dir: settings.data_dir,
    })
  }
}

export function someRow(n: number) {
  return systemAuditRow(
    { action: `act_${n}`, agent_identifier: 'test', now: new Date(1_790_000_000_000 + n) },
    { target_type: 'thing', target: `thing-${n}`, metadata: { n } },
  )
}

export async function write(log: Log, count: number): Promise<void> {
  await log.database.transaction(async (sql) => {
    await Promise.all(Array.from({ length: count }, (_one, n) => storeAuditRow(sql, someRow(n))))
  })
}

/**
 * Seals until every row is in a block; returns the new blocks. Transactions of other databases on
 * the same server hold sealing up too, so one try may find nothing.
 */
export async function sealAll(log: Log): Promise<Block[]> {
  const blocks: Block[] = []
  for (;;) {
    const sealed = await log.seal()
    if (sealed.block) blocks.push(sealed.block)
    const [left] = await log.query(
      `select (select count(*) from audit_logs)
              > coalesce((select sum(row_count) from audit_blocks), 0) as some`,
    )
    if (left?.some === false) return blocks
    await sleep(10)
  }
}

/** Three sealed blocks of four rows. */
export const sealedLog = copiesOf(async () => {
  const log = await newLog()
  for (let block = 0; block < 3; block += 1) {
    await write(log, 4)
    assert.deepEqual(
      (await sealAll(log)).map(({ row_count }) => row_count),
      [4],
    )
  }
  return log
})
