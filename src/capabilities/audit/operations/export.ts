// Export of an account's log with its proofs, page by page, to be verified offline.

import Type from 'typebox'
import { operation, ownerOf } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { dateTime, nullable, stringOf } from '../../../kit/schema.ts'
import { byBoth, byNumber } from '../../../lists/cursor.ts'
import { pagesOf } from '../../../lists/paging.ts'
import { blockOf, blocksAfter, newestBlock, readEras } from '../chain/audit.sql.ts'
import type { Block } from '../chain/block.ts'
import { spanOf } from '../chain/block-leaves.ts'
import { readContinuity } from '../chain/continuity.ts'
import { signStatement } from '../chain/export-statement.ts'
import { leavesOf, proofAt } from '../chain/inclusion-proof.ts'
import { notedHead } from '../chain/noted-head.ts'
import { trustedKeys } from '../chain/signer.ts'
import { storedCanonicalJson } from '../rows/stored-row.ts'
import { archivedTo, blocksOfRows, rowsToExport } from './exports.sql.ts'
import { auditHeadNotFound, auditLogDisputed } from './read-head.ts'
import { auditBlock } from './read-proof.ts'

/**
 * The number of rows, of all accounts, that one page reads to build the paths of its own entries. A
 * page that reaches it ends early.
 */
const most_leaves = 20_000

const text = (description: string) => Type.String({ description })

const statement = Type.Object(
  {
    type: text('The text "audit_export".'),
    customer_id: text('The account.'),
    block_number: text('The export has the entries of this block and of those before it.'),
    block_hash: text('Hex hash of that block.'),
    after_id: text('The page has all entries with an id above this one.'),
    last_id: text('The page has all entries up to this id.'),
    count: Type.Integer({ description: 'The number of entries.' }),
    entries_root: text('Hex root of the tree over their hashes, by id (RFC 9162).'),
    complete: Type.Boolean({ description: 'Whether this is the last page.' }),
    archived_to: nullable(
      text('Entries up to this id may be in an archive of the operator, not in the export.'),
    ),
    created_at: dateTime('When the page was made.'),
    key_id: text('The id of the key that signed.'),
  },
  { title: 'AuditExportStatement', description: 'The signed claim that no entry is left out.' },
)

const entry = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the entry.' }),
    canonical_row: text('The entry as it was hashed: RFC 8785 JSON.'),
    row_hash: text('Hex SHA-256 of canonical_row.'),
    block_number: text('The block that seals it.'),
    leaf_index: Type.Integer({ description: 'The place of the entry in the block, from 0.' }),
    path: Type.Array(Type.String(), { description: 'Hex hashes from the leaf to the root.' }),
  },
  { title: 'AuditExportEntry' },
)

/** The block up to which the export goes, and the last entry of the page. */
const pages = pagesOf('export_audit_logs', byBoth(byNumber, byNumber))

export const exportAuditLogs = operation({
  name: 'export_audit_logs',
  does: "Export an account's audit log with its proofs, oldest first, to verify it offline.",
  more:
    'Save each page as one line of a file and verify it with the audit verifier, which asks ' +
    'neither this service nor a database. All pages of one export are of one state of the log. ' +
    'The signature is Ed25519 over the SHA-256 of the RFC 8785 JSON of `statement`.',
  at: 'GET /v1/customers/{customer_id}/audit-logs/export',
  area: 'Audit logs',
  who: ownerOf('audit:read'),
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({ description: 'The customer.' }),
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      statement,
      signature: text('Ed25519 signature in base64.'),
      public_key: text(
        'The public key, as SPKI DER in base64. Compare it with one that you noted earlier.',
      ),
      entries: Type.Array(entry, { description: 'Oldest first, by id.' }),
      blocks: Type.Array(auditBlock, { description: 'The blocks that seal the entries.' }),
      ...pages.gives,
    },
    { title: 'AuditExportPage' },
  ),
  fails: [auditHeadNotFound, auditLogDisputed],
  effect: 'none',
  async run({ cursor, limit }, { sql, customer_id }, app) {
    const [number = null, after = 0n] = pages.placeOf(cursor) ?? []
    const { settings, auditSigner, clock } = app
    const noted = notedHead({ settings })
    const continuity = { trusted: () => trustedKeys({ settings }), noted }
    const { problem, alarmed } = await readContinuity(sql, continuity)
    if (problem || alarmed) throw auditLogDisputed()
    const upTo = await upToBlock(sql, number)
    if (!upTo) throw auditHeadNotFound()
    const wanted = { customer_id, upTo, after, limit }
    const { entries, blocks, more, hashes } = await readPage(sql, wanted)
    const last_id = String(entries.at(-1)?.id ?? after)
    const { last_id: archived } = await sql.one(archivedTo)
    const signed = signStatement(
      {
        customer_id,
        block_number: upTo.number,
        block_hash: upTo.block_hash,
        after_id: String(after),
        last_id,
        complete: !more,
        archived_to: archived === null ? null : String(archived),
        created_at: clock.now().toISOString(),
      },
      hashes,
      auditSigner,
    )
    const next_cursor = more ? pages.cursorAt([BigInt(upTo.number), BigInt(last_id)]) : null
    return { ...signed, entries, blocks, next_cursor }
  },
})

/** The block of this number, or the newest one where it is null. */
async function upToBlock(sql: Sql, number: bigint | null): Promise<Block | undefined> {
  if (number === null) {
    const newest = await sql.maybe(newestBlock)
    return newest && blockOf(newest)
  }
  const [row] = await sql.run(blocksAfter, { after: number - 1n, limit: 1 })
  return row && row.number === number ? blockOf(row) : undefined
}

type Wanted = { customer_id: CustomerId; upTo: Block; after: bigint; limit: number }
type ExportRow = Row<'audit_export_rows'>

async function readPage(sql: Sql, { customer_id, upTo, after, limit }: Wanted) {
  const eras = await sql.run(readEras)
  const { first_id, below_id, to_xid, to_id } = spanOf(upTo, eras)
  const rows = await sql.run(rowsToExport, {
    ...{ customer_id, after, first_id, below_id },
    ...{ to_xid, to_id: BigInt(to_id), limit: limit + 1 },
  })
  const page = rows.slice(0, limit)
  const found = await sql.run(blocksOfRows, {
    ids: page.map(({ id }) => id),
    xids: page.map(({ xid }) => xid),
  })
  const blocks = new Map(found.map((row) => [row.row_id, blockOf(row)]))
  const leaves = new Map<string, Awaited<ReturnType<typeof leavesOf>>>()
  const proven: { row: ExportRow; block: Block }[] = []
  let read = 0
  for (const row of page) {
    const block = blocks.get(row.id)
    if (!block) throw new Error(`audit row ${row.id} is in no block up to ${upTo.number}`)
    if (!leaves.has(block.number)) {
      if (read >= most_leaves) break
      leaves.set(block.number, await leavesOf(sql, block, eras))
      read += block.row_count
    }
    proven.push({ row, block })
  }
  const used = new Map(proven.map(({ block }) => [block.number, block]))
  return {
    entries: proven.map((one) => present(one, leaves.get(one.block.number) ?? [])),
    blocks: [...used.values()],
    hashes: proven.map(({ row }) => row.row_hash),
    more: proven.length < rows.length,
  }
}

function present(
  { row, block }: { row: ExportRow; block: Block },
  leaves: readonly { id: bigint; row_hash: Buffer }[],
) {
  const index = leaves.findIndex(({ id }) => id === row.id)
  if (index < 0) throw new Error(`audit row ${row.id} is not in block ${block.number}`)
  const { row_hash, inclusion } = proofAt(block, leaves, index)
  const { leaf_index, path } = inclusion
  return {
    id: Number(row.id),
    canonical_row: storedCanonicalJson(row),
    row_hash,
    block_number: block.number,
    leaf_index,
    path,
  }
}
