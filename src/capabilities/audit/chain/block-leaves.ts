// The leaves of a block's Merkle tree: the rows that it sealed, in the order of the chain. Only the
// hash is known of a row that is in an archive.
import type { Sql } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import { matchesHash } from '../rows/stored-row.ts'
import { archivedLeaves } from './archives.sql.ts'
import { rowsInOrder } from './audit.sql.ts'
import type { Block } from './block.ts'
import { endless_id } from './log-spans.ts'
import { merkleRoot } from './merkle.ts'
import { Unsound } from './unsound.ts'

type StoredRow = Row<'audit_rows_in_order'>
export type Eras = { era: number; first_id: bigint }[]
type Leaf = {
  xid: string
  id: bigint
  row_hash: Buffer
  /** Null if the row is in an archive. */
  row: StoredRow | null
  /** The name of the archive that has the row. */
  archive: string | null
}

const rows_at_once = 2_000

type Span = {
  from_xid: string
  from_id: string
  first_id: bigint
  below_id: bigint
  to_xid: string
  to_id: string
}

/** The first id of the era after this one. */
export function belowId(eras: Eras, era: number): bigint {
  return eras.find((one) => one.era > era)?.first_id ?? endless_id
}

export function spanOf(block: Block, eras: Eras): Span {
  return { ...block, first_id: BigInt(block.first_id), below_id: belowId(eras, block.era) }
}

/** The rows of a span in their order; throws Unsound at the first that is not as it was hashed. */
export async function* verifiedRows(sql: Sql, span: Span): AsyncGenerator<StoredRow> {
  let at = { xid: span.from_xid, id: BigInt(span.from_id) }
  for (;;) {
    const rows = await sql.run(rowsInOrder, {
      after_xid: at.xid,
      after_id: at.id,
      first_id: span.first_id,
      below_id: span.below_id,
      to_xid: span.to_xid,
      to_id: BigInt(span.to_id),
      limit: rows_at_once,
    })
    for (const row of rows) {
      if (!matchesHash(row)) throw new Unsound('row', String(row.id), 'does not match its hash')
      yield row
    }
    const last = rows.at(-1)
    if (!last || rows.length < rows_at_once) return
    at = { xid: last.xid, id: last.id }
  }
}

/** Compares by the order of the chain. */
export function byPlace(a: { xid: string; id: bigint }, b: { xid: string; id: bigint }): number {
  const [left, right] = a.xid === b.xid ? [a.id, b.id] : [BigInt(a.xid), BigInt(b.xid)]
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** The given rows of the block, with the hashes of its archived ones at their places. */
export async function withArchivedLeaves(
  sql: Sql,
  block: Block,
  rows: readonly StoredRow[],
): Promise<Leaf[]> {
  const live = rows.map((row) => {
    return { xid: row.xid, id: row.id, row_hash: row.row_hash, row, archive: null }
  })
  if (live.length >= block.row_count) return live
  const archived = await sql.run(archivedLeaves, { number: BigInt(block.number) })
  return [...live, ...archived.map((one) => ({ ...one, row: null }))].sort(byPlace)
}

/** Throws Unsound unless these are all the leaves of the block. */
export function checkLeaves(block: Block, leaves: readonly { row_hash: Buffer }[]): void {
  const ids = `rows after ${block.from_id} to ${block.to_id}`
  if (leaves.length !== block.row_count)
    throw new Unsound(
      'block',
      block.number,
      `sealed ${block.row_count} rows, and there are ${leaves.length} (${ids})`,
    )
  const root = merkleRoot(leaves.map(({ row_hash }) => row_hash))
  if (root.toString('hex') !== block.merkle_root)
    throw new Unsound('block', block.number, `sealed other rows, or in another order (${ids})`)
}

/** All leaves of the block; throws Unsound at the first inconsistency. */
export async function verifiedLeaves(sql: Sql, block: Block, eras: Eras): Promise<Leaf[]> {
  const rows: StoredRow[] = []
  for await (const row of verifiedRows(sql, spanOf(block, eras))) rows.push(row)
  const leaves = await withArchivedLeaves(sql, block, rows)
  checkLeaves(block, leaves)
  return leaves
}
