// The format of an archive: gzip of JSON Lines. A header; each block, followed by its leaves in the
// order of the chain (rows of the partition whole, of others the hash); and an end line with
// counts.
import { hash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Row } from '../../../db/statement.ts'
import { compile } from '../../../kit/schema.ts'
import type { Block } from '../chain/block.ts'
import { canonicalJson, hashedFields } from '../rows/row.ts'
import { storedCanonicalJson } from '../rows/stored-row.ts'

const text = Type.String()
const textOrNull = Type.Union([text, Type.Null()])
const integer = Type.Integer()
const decimal = Type.String({ pattern: '^-?[0-9]{1,20}$' })

const header = Type.Object({
  type: Type.Literal('audit_archive'),
  version: Type.Literal(1),
  name: text,
  starts_at: textOrNull,
  ends_at: text,
})
const block = Type.Object({
  type: Type.Literal('block'),
  number: decimal,
  era: integer,
  first_id: decimal,
  highest_id: decimal,
  from_xid: decimal,
  from_id: decimal,
  to_xid: decimal,
  to_id: decimal,
  row_count: integer,
  merkle_root: text,
  previous_hash: text,
  key_id: text,
  created_at: text,
  block_hash: text,
  signature: text,
  public_key: text,
})
const row = Type.Object({
  type: Type.Literal('row'),
  xid: decimal,
  id: decimal,
  row: Type.Object({
    entry_point: text,
    action: text,
    actor_type: text,
    actor_label: textOrNull,
    agent_identifier: text,
    api_key_id: textOrNull,
    customer_id: textOrNull,
    target_type: textOrNull,
    target: textOrNull,
    result: text,
    status_code: Type.Union([integer, Type.Null()]),
    error_code: textOrNull,
    metadata: Type.Record(text, Type.Unknown()),
    created_at: text,
  }),
})
const leaf = Type.Object({ type: Type.Literal('leaf'), xid: decimal, id: decimal, row_hash: text })
const end = Type.Object({ type: Type.Literal('end'), blocks: integer, rows: integer })

const line = compile(Type.Union([header, block, row, leaf, end]))

export type ArchiveHeader = Pick<Static<typeof header>, 'name' | 'starts_at' | 'ends_at'>
/** A leaf as it was read: `row` is null where the partition does not have the row. */
type ArchiveLeaf = {
  xid: string
  id: bigint
  row_hash: Buffer
  row: Static<typeof row>['row'] | null
}
/** A block with all its leaves. */
export type ArchivedBlock = { block: Block; leaves: ArchiveLeaf[] }

export const headerLine = ({ name, starts_at, ends_at }: ArchiveHeader) =>
  JSON.stringify({ type: 'audit_archive', version: 1, name, starts_at, ends_at })
export const blockLine = (one: Block) => JSON.stringify({ type: 'block', ...one })
/** The row exactly as it was hashed. */
export const rowLine = (one: Row<'audit_rows_in_order'>) =>
  `{"type":"row","xid":"${one.xid}","id":"${one.id}","row":${storedCanonicalJson(one)}}`
export const leafLine = ({ xid, id, row_hash }: { xid: string; id: bigint; row_hash: Buffer }) =>
  JSON.stringify({ type: 'leaf', xid, id: String(id), row_hash: row_hash.toString('hex') })
export const endLine = (counts: { blocks: number; rows: number }) =>
  JSON.stringify({ type: 'end', ...counts })

/** The text is not an archive, or not a whole one. */
export class ArchiveFormatError extends Error {}

function parseLine(
  source: string,
): Static<typeof header | typeof block | typeof row | typeof end | typeof leaf> {
  try {
    return line.parse(JSON.parse(source))
  } catch {
    throw new ArchiveFormatError('has a line that does not fit the format')
  }
}

function leafOf(one: Static<typeof row> | Static<typeof leaf>): ArchiveLeaf {
  const place = { xid: one.xid, id: BigInt(one.id) }
  if (one.type === 'leaf')
    return { ...place, row_hash: Buffer.from(one.row_hash, 'hex'), row: null }
  const row_hash = hash('sha256', canonicalJson(hashedFields(one.row)), 'buffer')
  return { ...place, row_hash, row: one.row }
}

/** The header and then each block with its leaves, as the lines have them. */
export async function* parseArchive(
  lines: AsyncIterable<string>,
): AsyncGenerator<{ header: ArchiveHeader } | ArchivedBlock> {
  let open: ArchivedBlock | null = null
  let [first, ended, blocks, rows] = [true, false, 0, 0]
  for await (const source of lines) {
    const one = parseLine(source)
    if (first !== (one.type === 'audit_archive') || ended)
      throw new ArchiveFormatError('has lines in an order that does not fit the format')
    first = false
    switch (one.type) {
      case 'audit_archive':
        yield { header: one }
        break
      case 'block': {
        if (open) yield open
        const { type: _type, ...fields } = one
        open = { block: fields, leaves: [] }
        blocks += 1
        break
      }
      case 'row':
      case 'leaf':
        if (!open) throw new ArchiveFormatError('has a row before any block')
        open.leaves.push(leafOf(one))
        rows += one.type === 'row' ? 1 : 0
        break
      case 'end':
        if (open) yield open
        ended = one.blocks === blocks && one.rows === rows
        if (!ended) throw new ArchiveFormatError('has other counts than its last line states')
    }
  }
  if (!ended) throw new ArchiveFormatError('is truncated: its last line is missing')
}
