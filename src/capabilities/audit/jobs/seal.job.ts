// Sealing: puts new rows into signed blocks, within a second, without locking writers.
import { type App, job } from '../../../app.ts'
import type { Database, Sql } from '../../../db/database.ts'
import type { Clock } from '../../../kit/clock.ts'
import {
  acquireSealerLock,
  beginEra,
  blockOf,
  newEraStart,
  newestBlock,
  readEras,
  rowsToSeal,
  storeBlock,
} from '../chain/audit.sql.ts'
import {
  type Block,
  type BlockFields,
  blockHash,
  noBlockHash,
  sealProblem,
} from '../chain/block.ts'
import { type Continuity, readContinuity } from '../chain/continuity.ts'
import { type LogPlace, type Span, spansAfter } from '../chain/log-spans.ts'
import { merkleRoot } from '../chain/merkle.ts'
import { type Head, notedHead } from '../chain/noted-head.ts'
import { restorationProblem } from '../chain/restoration.ts'
import { readRestorations } from '../chain/restorations.sql.ts'
import { type AuditSigner, type SignerSettings, trustedKeys } from '../chain/signer.ts'
import { alarmAbout } from './alarms.ts'

export const rows_per_block = 10_000

function placeOf(head: Block | null): LogPlace | null {
  return head && { era: head.era, xid: head.to_xid, id: head.to_id }
}

/** After a restore, the transaction counter starts again: rows from here on belong to a new era. */
async function beginEraIfNeeded(sql: Sql, head: Block | null): Promise<void> {
  if (!head) return
  const eras = await sql.run(readEras)
  if (eras.at(-1)?.era !== head.era) return
  const first_id = await endOfEra(sql, head)
  if (first_id !== null) await sql.run(beginEra, { era: head.era + 1, first_id })
}

/** Where the ids of the next era begin, when the transaction counter is behind this block. */
export async function endOfEra(sql: Sql, head: Block): Promise<bigint | null> {
  const start = await sql.maybe(newEraStart, {
    newest_xid: head.to_xid,
    highest_id: BigInt(head.highest_id),
  })
  return start?.first_id ?? null
}

type Rows = { id: bigint; xid: string; row_hash: Buffer }[]

async function nextRows(sql: Sql, head: Block | null): Promise<{ span: Span; rows: Rows } | null> {
  for (const span of spansAfter(placeOf(head), await sql.run(readEras))) {
    const rows = await sql.run(rowsToSeal, {
      after_xid: span.from_xid,
      after_id: BigInt(span.from_id),
      first_id: BigInt(span.first_id),
      below_id: span.below_id,
      era_closed: span.closed,
      limit: rows_per_block,
    })
    if (rows.length > 0) return { span, rows }
  }
  return null
}

function greatest(rows: Rows, least: bigint): bigint {
  let most = least
  for (const { id } of rows) if (id > most) most = id
  return most
}

type Sealing = { signer: AuditSigner; clock: Clock; settings: SignerSettings }
type Ends = { link: Head | null; block: Block | null }

function seal(
  { link, block: before }: Ends,
  { span, rows }: { span: Span; rows: Rows },
  { signer, clock }: Sealing,
): Block {
  const last = rows.at(-1)
  if (!last) throw new Error('A block needs rows')
  const fields: BlockFields = {
    number: String(BigInt(link?.number ?? 0) + 1n),
    era: span.era,
    first_id: span.first_id,
    highest_id: String(greatest(rows, BigInt(before?.highest_id ?? 0))),
    from_xid: span.from_xid,
    from_id: span.from_id,
    to_xid: last.xid,
    to_id: String(last.id),
    row_count: rows.length,
    merkle_root: merkleRoot(rows.map(({ row_hash }) => row_hash)).toString('hex'),
    previous_hash: link?.block_hash ?? noBlockHash,
    key_id: signer.key_id,
    created_at: clock.now().toISOString(),
  }
  const block_hash = blockHash(fields)
  const signature = signer.sign(Buffer.from(block_hash, 'hex'))
  return { ...fields, block_hash, signature, public_key: signer.public_key }
}

type Sealed = {
  /** Null when there was nothing to seal, another node is sealing, or sealing is blocked. */
  block: Block | null
  /** Whether there are probably rows left. */
  more: boolean
  problem: Continuity['problem']
}
const nothing: Sealed = { block: null, more: false, problem: null }

/**
 * Seals one block of new rows, unless the chain in the database lacks the newest link that this
 * node noted: a truncated chain must not be continued.
 */
export async function sealBlock(db: Database, sealing: Sealing): Promise<Sealed> {
  const { settings, signer } = sealing
  const looked = await look(db, settings)
  if (looked.problem) return { ...nothing, problem: looked.problem }
  if (looked.newest) await noteOthers(db, looked.newest, sealing)
  if (looked.alarmed || !looked.may) return nothing
  const sealed = await db.transaction(async (sql): Promise<Sealed> => {
    // The chain is read by a later statement: its snapshot is younger than the other sealer's
    // commit.
    if (!(await sql.one(acquireSealerLock)).taken) return nothing
    const { problem, alarmed, newest: link } = await look(sql, settings)
    if (problem || alarmed) return { ...nothing, problem }
    const newest = await sql.maybe(newestBlock)
    const before = newest ? blockOf(newest) : null
    await beginEraIfNeeded(sql, before)
    const next = await nextRows(sql, before)
    if (!next) return nothing
    const block = seal({ link, block: before }, next, sealing)
    await storeBlock(sql, block)
    return { block, more: next.rows.length === rows_per_block, problem: null }
  })
  if (sealed.block) signer.noteHead(sealed.block)
  return sealed
}

function look(sql: Sql, settings: SignerSettings): Promise<Continuity> {
  return readContinuity(sql, {
    trusted: () => trustedKeys({ settings }),
    noted: notedHead({ settings }),
  })
}

/** A link that another node sealed is noted here too, if its seal is valid under a trusted key. */
async function noteOthers(sql: Sql, newest: Head, { settings, signer }: Sealing): Promise<void> {
  const noted = notedHead({ settings })
  if (noted && BigInt(noted.number) >= BigInt(newest.number)) return
  const trusted = trustedKeys({ settings })
  const row = await sql.maybe(newestBlock)
  const block = row ? blockOf(row) : null
  const restored = (await readRestorations(sql)).at(-1)
  const good =
    block?.block_hash === newest.block_hash
      ? sealProblem(block, trusted) === null
      : restored?.record_hash === newest.block_hash &&
        restorationProblem(restored, trusted) === null
  if (good) signer.noteHead(newest)
}

/**
 * Raises the alarm about a state read in the sealer's turn: an operator accepts a state, which
 * ends its alarms, in that turn too, and a round that had read it before must not raise it again.
 */
async function alarmIfStillCut({ db, log, settings }: App): Promise<void> {
  await db.transaction(async (sql) => {
    if (!(await sql.one(acquireSealerLock)).taken) return
    const { problem } = await look(sql, settings)
    if (!problem) return
    await alarmAbout({ db: sql, log }, { ...problem, stops_sealing: true, alarm: 'audit_log_cut' })
  })
}

export const sealAuditLog = job({
  name: 'seal_audit_log',
  does: 'Seals new rows of the audit log into signed blocks.',
  every_ms: 700,
  per_node: true,
  async run(app) {
    const { settings, clock, auditSigner: signer } = app
    const { problem, more } = await sealBlock(app.db, { signer, clock, settings })
    if (problem) await alarmIfStillCut(app)
    return { more }
  },
})
