// The verifier: reads the whole log in its order, makes every hash again, and names the first thing
// that does not fit.
import type { KeyObject } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { type Block, noBlockHash, sealProblem } from './block.ts'
import { merkleRoot } from './merkle.ts'
import { endless_id } from './seal.job.ts'
import type { Head } from './signer.ts'
import { blockOf, blocksAfter, readEras, rowsInOrder } from './store.ts'
import { isAsHashed } from './stored.ts'

export type AuditReport = {
  ok: boolean
  /**
   * The first thing that does not fit; null when all does. `id`: of the row, or the block's number.
   */
  bad: { what: 'row' | 'block' | 'head'; id: string; problem: string } | null
  /** What was found good before that. */
  blocks: number
  rows: number
  /** Rows after the newest block, whose own hashes are good. */
  unsealed: number
  head: Head | null
}
export type Trusted = ReadonlyMap<string, KeyObject>

const blocks_at_once = 500
const rows_at_once = 2_000
const leastId = String(-(2n ** 63n))
const last_xid = String(2n ** 64n - 1n)

class Bad extends Error {
  readonly found: NonNullable<AuditReport['bad']>

  constructor(what: 'row' | 'block' | 'head', id: string, problem: string) {
    super(problem)
    this.found = { what, id, problem }
  }
}

type Span = {
  from_xid: string
  from_id: string
  first_id: bigint
  below_id: bigint
  to_xid: string
  to_id: string
}

/** The rows of a span in their order; throws Bad at the first that is not as it was hashed. */
async function* goodRows(sql: Sql, span: Span): AsyncGenerator<Row<'audit_rows_in_order'>> {
  let at = { xid: span.from_xid, id: BigInt(span.from_id) }
  for (;;) {
    const rows = await sql.run(rowsInOrder, [
      at.xid,
      at.id,
      span.first_id,
      span.below_id,
      span.to_xid,
      BigInt(span.to_id),
      rows_at_once,
    ])
    for (const row of rows) {
      if (!isAsHashed(row)) throw new Bad('row', String(row.id), 'is not what its hash says')
      yield row
    }
    const last = rows.at(-1)
    if (!last || rows.length < rows_at_once) return
    at = { xid: last.xid, id: last.id }
  }
}

/** Whether the block goes on where the one before it ended, and its seal is good. */
function checkChain(block: Block, before: Block | null, trusted: Trusted): void {
  const bad = (problem: string) => new Bad('block', block.number, problem)
  const expected = String(BigInt(before?.number ?? 0) + 1n)
  if (block.number !== expected)
    throw new Bad('block', expected, `is missing: the next one there is ${block.number}`)
  const seal = sealProblem(block, trusted)
  if (seal) throw bad(seal)
  if (block.previous_hash !== (before?.block_hash ?? noBlockHash))
    throw bad('does not name the hash of the block before it')
  const goesOn =
    block.era === (before?.era ?? 1) &&
    block.first_id === (before?.first_id ?? leastId) &&
    block.from_xid === (before?.to_xid ?? '0') &&
    block.from_id === (before?.to_id ?? '0')
  const newEra =
    before !== null &&
    block.era > before.era &&
    block.from_xid === '0' &&
    block.from_id === '0' &&
    BigInt(block.first_id) > BigInt(before.highest_id)
  if (!goesOn && !newEra) throw bad('does not begin where the block before it ended')
}

type Eras = { era: number; first_id: bigint }[]

function belowId(eras: Eras, era: number): bigint {
  return eras.find((one) => one.era > era)?.first_id ?? endless_id
}

async function checkRows(sql: Sql, block: Block, eras: Eras): Promise<void> {
  const hashes: Buffer[] = []
  const span = {
    ...block,
    first_id: BigInt(block.first_id),
    below_id: belowId(eras, block.era),
  }
  for await (const row of goodRows(sql, span)) hashes.push(row.row_hash)
  const ids = `rows after ${block.from_id} to ${block.to_id}`
  if (hashes.length !== block.row_count)
    throw new Bad(
      'block',
      block.number,
      `sealed ${block.row_count} rows, and there are ${hashes.length} (${ids})`,
    )
  if (merkleRoot(hashes).toString('hex') !== block.merkle_root)
    throw new Bad('block', block.number, `sealed other rows, or in another order (${ids})`)
}

/**
 * Rows after the newest block of their era: none in an era that is over, the unsealed ones in the
 * last.
 */
async function countAfter(sql: Sql, head: Block | null, eras: Eras): Promise<number> {
  let unsealed = 0
  for (const { era, first_id } of eras.filter((one) => one.era >= (head?.era ?? 1))) {
    const here = head?.era === era
    const rows = goodRows(sql, {
      from_xid: here ? head.to_xid : '0',
      from_id: here ? head.to_id : '0',
      first_id,
      below_id: belowId(eras, era),
      to_xid: last_xid,
      to_id: String(endless_id),
    })
    for await (const _row of rows) unsealed += 1
  }
  return unsealed
}

/** When the log goes on in a new era, the one before must have nothing left that no block seals. */
async function checkEraEnd(sql: Sql, last: Block, eras: Eras): Promise<void> {
  const rows = goodRows(sql, {
    from_xid: last.to_xid,
    from_id: last.to_id,
    first_id: BigInt(last.first_id),
    below_id: belowId(eras, last.era),
    to_xid: last_xid,
    to_id: String(endless_id),
  })
  for await (const row of rows) throw new Bad('row', String(row.id), 'is in no block')
}

function headOf(block: Block | null): Head | null {
  return block && { number: block.number, block_hash: block.block_hash }
}

/**
 * Checks every row, block, link and signature. `noted` is a block known from elsewhere (the data
 * folder, a log line, a customer's proof): without one, nothing in a database can show that its
 * newest blocks were cut off. Reads in batches; needs no lock, and sealers may go on meanwhile.
 */
export async function verifyAudit(
  sql: Sql,
  trusted: Trusted,
  noted: Head | null = null,
): Promise<AuditReport> {
  const report: AuditReport = { ok: false, bad: null, blocks: 0, rows: 0, unsealed: 0, head: null }
  let before: Block | null = null
  let seenNoted = noted === null
  try {
    for await (const block of allBlocks(sql)) {
      const eras = await sql.run(readEras, [])
      checkChain(block, before, trusted)
      if (before && before.era !== block.era) await checkEraEnd(sql, before, eras)
      if (block.number === noted?.number) {
        if (block.block_hash !== noted.block_hash)
          throw new Bad('head', block.number, 'is not the block that was noted under this number')
        seenNoted = true
      }
      await checkRows(sql, block, eras)
      before = block
      report.blocks += 1
      report.rows += block.row_count
    }
    if (!seenNoted)
      throw new Bad('head', noted?.number ?? '', 'was noted and is missing: the log was cut off')
    report.unsealed = await countAfter(sql, before, await sql.run(readEras, []))
    return { ...report, ok: true, head: headOf(before) }
  } catch (error) {
    if (!(error instanceof Bad)) throw error
    return { ...report, bad: error.found, head: headOf(before) }
  }
}

async function* allBlocks(sql: Sql): AsyncGenerator<Block> {
  for (let number = 0n; ; ) {
    const rows = await sql.run(blocksAfter, [number, blocks_at_once])
    for (const row of rows) yield blockOf(row)
    const last = rows.at(-1)
    if (!last) return
    number = last.number
  }
}
