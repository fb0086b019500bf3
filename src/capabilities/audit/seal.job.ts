// Seals new rows into signed blocks, within a second, without a lock in anybody's way.
import { job } from '../../app.ts'
import type { Database, Sql } from '../../db/database.ts'
import type { Clock } from '../../kit/clock.ts'
import { type Block, type BlockFields, blockHash, noBlockHash } from './block.ts'
import { merkleRoot } from './merkle.ts'
import { type AuditSigner, signerOf } from './signer.ts'
import {
  beginEra,
  blockOf,
  maySeal,
  newEraStart,
  newestBlock,
  readEras,
  rowsToSeal,
  storeBlock,
  takeSealersTurn,
} from './store.ts'

export const rows_per_block = 10_000
export const endless_id = 2n ** 63n - 1n

type Position = Pick<BlockFields, 'era' | 'first_id'> & { from_xid: string; from_id: string }
type Span = Position & { below_id: bigint; closed: boolean }

/** Where sealing goes on: after the newest block, or at the start of the era after its own. */
function spansAfter(head: Block | null, eras: { era: number; first_id: bigint }[]): Span[] {
  return eras
    .filter(({ era }) => era >= (head?.era ?? 1))
    .map(({ era, first_id }) => {
      const next = eras.find((one) => one.era === era + 1)
      const here = head?.era === era
      return {
        era,
        first_id: String(first_id),
        from_xid: here ? head.to_xid : '0',
        from_id: here ? head.to_id : '0',
        below_id: next?.first_id ?? endless_id,
        closed: next !== undefined,
      }
    })
}

/** A restored dump meets a counter that begins again: rows from here on belong to a new era. */
async function beginEraIfNeeded(sql: Sql, head: Block | null): Promise<void> {
  if (!head) return
  const eras = await sql.run(readEras, [])
  if (eras.at(-1)?.era !== head.era) return
  const start = await sql.maybe(newEraStart, [head.to_xid, BigInt(head.highest_id)])
  if (start) await sql.run(beginEra, [head.era + 1, start.first_id])
}

type Rows = { id: bigint; xid: string; row_hash: Buffer }[]

async function nextRows(sql: Sql, head: Block | null): Promise<{ span: Span; rows: Rows } | null> {
  for (const span of spansAfter(head, await sql.run(readEras, []))) {
    const rows = await sql.run(rowsToSeal, [
      span.from_xid,
      BigInt(span.from_id),
      BigInt(span.first_id),
      span.below_id,
      span.closed,
      rows_per_block,
    ])
    if (rows.length > 0) return { span, rows }
  }
  return null
}

function greatest(rows: Rows, least: bigint): bigint {
  let most = least
  for (const { id } of rows) if (id > most) most = id
  return most
}

type Sealing = { signer: AuditSigner; clock: Clock }

function seal(
  head: Block | null,
  { span, rows }: { span: Span; rows: Rows },
  { signer, clock }: Sealing,
): Block {
  const last = rows.at(-1)
  if (!last) throw new Error('A block needs rows')
  const fields: BlockFields = {
    number: String(BigInt(head?.number ?? 0) + 1n),
    era: span.era,
    first_id: span.first_id,
    highest_id: String(greatest(rows, BigInt(head?.highest_id ?? 0))),
    from_xid: span.from_xid,
    from_id: span.from_id,
    to_xid: last.xid,
    to_id: String(last.id),
    row_count: rows.length,
    merkle_root: merkleRoot(rows.map(({ row_hash }) => row_hash)).toString('hex'),
    previous_hash: head?.block_hash ?? noBlockHash,
    key_id: signer.key_id,
    created_at: clock.now().toISOString(),
  }
  const block_hash = blockHash(fields)
  const signature = signer.sign(Buffer.from(block_hash, 'hex'))
  return { ...fields, block_hash, signature, public_key: signer.public_key }
}

/**
 * Seals one block of new rows; null when there are none, or when another sealer is at it. `more`
 * says whether there are probably rows left.
 */
export async function sealBlock(
  db: Database,
  sealing: Sealing,
): Promise<{ block: Block; more: boolean } | null> {
  if (!(await db.one(maySeal, [])).may) return null
  const sealed = await db.transaction(async (sql) => {
    // The head is read by a later statement: its snapshot is younger than the other sealer's
    // commit.
    if (!(await sql.one(takeSealersTurn, [])).taken) return null
    const newest = await sql.maybe(newestBlock, [])
    const head = newest ? blockOf(newest) : null
    await beginEraIfNeeded(sql, head)
    const next = await nextRows(sql, head)
    if (!next) return null
    const block = seal(head, next, sealing)
    await storeBlock(sql, block)
    return { block, more: next.rows.length === rows_per_block }
  })
  if (sealed) sealing.signer.noteHead(sealed.block)
  return sealed
}

export const sealAuditLog = job({
  name: 'seal_audit_log',
  does: 'Seals new rows of the audit log into signed blocks.',
  every_ms: 400,
  per_node: true,
  async run(app) {
    const sealing = { signer: signerOf(app.settings), clock: app.clock }
    return { more: (await sealBlock(app.db, sealing))?.more ?? false }
  },
})
