// Inclusion proof: shows that one row is in a signed block, and is verified offline with the public
// key.
import type { KeyObject } from 'node:crypto'
import type { Sql } from '../../../db/database.ts'
import { blockOf, blockOfRow, readEras, rowPosition, rowsInOrder } from './audit.sql.ts'
import { type Block, keyIdOf, sealProblem } from './block.ts'
import { type Eras, spanOf, withArchivedLeaves } from './block-leaves.ts'
import { merklePath, rootOfPath } from './merkle.ts'

/** Hex hashes from the row's leaf up to the root (RFC 9162 2.1.3). */
type Inclusion = { leaf_index: number; tree_size: number; path: string[] }
export type InclusionProof = { row_hash: string; inclusion: Inclusion; block: Block }

/** The proof for a row; null when there is no such row or it is not sealed yet. */
export async function inclusionProof(sql: Sql, row_id: bigint): Promise<InclusionProof | null> {
  const row = await sql.maybe(rowPosition, { id: row_id })
  const found = row && (await sql.maybe(blockOfRow, { xid: row.xid, id: row_id }))
  if (!found) return null
  const block = blockOf(found)
  const leaves = await leavesOf(sql, block, await sql.run(readEras))
  const index = leaves.findIndex(({ id }) => id === row_id)
  return index < 0 ? null : proofAt(block, leaves, index)
}

/** All leaves of the block, in their order, as they are in the database now. */
export async function leavesOf(
  sql: Sql,
  block: Block,
  eras: Eras,
): Promise<{ id: bigint; row_hash: Buffer }[]> {
  const span = spanOf(block, eras)
  const rows = await sql.run(rowsInOrder, {
    after_xid: span.from_xid,
    after_id: BigInt(span.from_id),
    first_id: span.first_id,
    below_id: span.below_id,
    to_xid: span.to_xid,
    to_id: BigInt(span.to_id),
    limit: block.row_count,
  })
  return withArchivedLeaves(sql, block, rows)
}

/** The proof of one leaf among all leaves of the block. */
export function proofAt(
  block: Block,
  leaves: readonly { row_hash: Buffer }[],
  index: number,
): InclusionProof {
  const hashes = leaves.map(({ row_hash }) => row_hash)
  return {
    row_hash: hashes[index]?.toString('hex') ?? '',
    inclusion: {
      leaf_index: index,
      tree_size: hashes.length,
      path: merklePath(hashes, index).map((hash) => hash.toString('hex')),
    },
    block,
  }
}

/**
 * Whether the row with this hash is in the block, and the block is signed with this key. Needs no
 * database.
 */
export function verifyInclusion(
  { row_hash, inclusion, block }: InclusionProof,
  publicKey: KeyObject,
): boolean {
  if (sealProblem(block, new Map([[keyIdOf(publicKey), publicKey]])) !== null) return false
  if (inclusion.tree_size !== block.row_count) return false
  const root = rootOfPath(Buffer.from(row_hash, 'hex'), {
    index: inclusion.leaf_index,
    size: inclusion.tree_size,
    path: inclusion.path.map((hash) => Buffer.from(hash, 'hex')),
  })
  return root?.toString('hex') === block.merkle_root
}
