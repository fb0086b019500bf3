// The command accept-restored-audit: an operator accepts that the log continues from the state of
// the database, and the chain records it permanently.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Sql } from '../../../db/database.ts'
import { databaseTime } from '../../../db/server.sql.ts'
import {
  acquireSealerLock,
  beginEra,
  blockOf,
  newestBlock,
  readEras,
  storeAuditRow,
} from '../chain/audit.sql.ts'
import { type Block, noBlockHash, sealProblem } from '../chain/block.ts'
import { readContinuity } from '../chain/continuity.ts'
import { type Head, notedHead } from '../chain/noted-head.ts'
import { type Restoration, signRestoration } from '../chain/restoration.ts'
import { freeId, holdWriters, repairEras, storeRestoration } from '../chain/restorations.sql.ts'
import { openAuditSigner, type SignerSettings, trustedKeys } from '../chain/signer.ts'
import { endAlarms } from '../jobs/alarms.sql.ts'
import { endOfEra } from '../jobs/seal.job.ts'
import { auditRowOf } from '../rows/row.ts'

const least_id = -(2n ** 63n)
const tries = 100
const pause_ms = 50

type Parts = { db: Database; settings: SignerSettings }

/** Returns lines for the operator; `ok` false should end the command with status 1. */
export async function acceptRestoredAudit(
  parts: Parts,
  reason: string,
): Promise<{ ok: boolean; lines: string[] }> {
  for (let tried = 0; tried < tries; tried += 1) {
    const done = await parts.db.transaction((sql) => accept(sql, parts.settings, reason))
    if (done) {
      if (done.head) openAuditSigner(parts).noteHead(done.head)
      return done
    }
    await sleep(pause_ms)
  }
  return { ok: false, lines: ['Another node is sealing: try again.'] }
}

type Done = { ok: boolean; lines: string[]; head?: Head }

/** Null while another node is sealing. */
async function accept(sql: Sql, settings: SignerSettings, reason: string): Promise<Done | null> {
  if (!(await sql.one(acquireSealerLock)).taken) return null
  const noted = notedHead({ settings })
  const trusted = trustedKeys({ settings })
  const { problem, newest } = await readContinuity(sql, { trusted: () => trusted, noted })
  if (!problem || !noted)
    return { ok: true, lines: ['The log has the newest block that was noted: nothing to accept.'] }
  const row = await sql.maybe(newestBlock)
  const block = row ? blockOf(row) : null
  const unsound = block && sealProblem(block, trusted)
  if (unsound) return { ok: false, lines: [`Its newest block ${block.number} ${unsound}.`] }
  const made = await newRestoration(sql, { settings, reason, noted, previous: newest, block })
  const head = { number: made.number, block_hash: made.record_hash }
  return { ok: true, lines: linesOf(made), head }
}

type Basis = {
  settings: SignerSettings
  reason: string
  noted: Head
  previous: Head | null
  block: Block | null
}

async function newRestoration(sql: Sql, basis: Basis): Promise<Restoration> {
  const { noted, previous, block } = basis
  const now = await databaseTime(sql)
  const { era, first_id } = await newEra(sql, block)
  const lost = BigInt(noted.number)
  const before = BigInt(previous?.number ?? 0)
  const signer = openAuditSigner(basis)
  const made = signRestoration(
    {
      kind: 'restoration',
      number: String((lost > before ? lost : before) + 1n),
      era,
      first_id: String(first_id),
      previous_number: String(before),
      previous_hash: previous?.block_hash ?? noBlockHash,
      lost_number: noted.number,
      lost_hash: noted.block_hash,
      reason: basis.reason,
      key_id: signer.key_id,
      created_at: now.toISOString(),
    },
    signer,
  )
  await storeRestoration(sql, made)
  await storeAuditRow(sql, auditRow(made, now))
  await sql.count(endAlarms)
  return made
}

function auditRow({ number, previous_number, lost_number, reason }: Restoration, now: Date) {
  return auditRowOf(
    {
      entry_point: 'cli',
      action: 'accept_restored_audit',
      caller: { kind: 'operator', key_id: 0n, label: 'bin/call' },
      agent_identifier: 'bin/call',
      now,
    },
    {
      target_type: 'audit_log',
      target: number,
      customer_id: null,
      metadata: { previous_number, lost_number, reason },
    },
  )
}

/** Rows from `first_id` on belong to it; those before are sealed in their own era. */
async function newEra(sql: Sql, block: Block | null): Promise<{ era: number; first_id: bigint }> {
  await sql.count(holdWriters)
  await sql.count(repairEras)
  const eras = await sql.run(readEras)
  const { id } = await sql.one(freeId, { above: BigInt(block?.highest_id ?? 0) })
  const regressed = block && (await endOfEra(sql, block))
  const first_id = eras.length === 0 ? least_id : (regressed ?? id)
  const era = Math.max(eras.at(-1)?.era ?? 0, block?.era ?? 0) + 1
  await sql.run(beginEra, { era, first_id })
  return { era, first_id }
}

function linesOf(made: Restoration): string[] {
  const from = BigInt(made.previous_number) + 1n
  return [
    `Accepted: the log continues after block ${made.previous_number}, in era ${made.era}.`,
    `Numbers ${from} to ${BigInt(made.number) - 1n} are abandoned: verify-audit always shows that.`,
    'A node that had noted a newer block keeps its alarm: run this again with its DATA_DIR.',
  ]
}
