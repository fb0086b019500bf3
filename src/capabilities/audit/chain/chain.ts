// The hash chain: blocks and restorations as links with increasing numbers, each with the hash of
// the one before it. Verifies it in order and names the first inconsistency.
import type { Sql } from '../../../db/database.ts'
import { type ArchiveRecord, archiveOfBlock, archiveProblem } from './archive-record.ts'
import { readArchives } from './archives.sql.ts'
import { blockOf, blocksAfter, readEras } from './audit.sql.ts'
import { type Block, noBlockHash, sealProblem, type Trusted } from './block.ts'
import { belowId, type Eras, spanOf, verifiedLeaves, verifiedRows } from './block-leaves.ts'
import { endless_id } from './log-spans.ts'
import { merkleRoot } from './merkle.ts'
import type { Head } from './noted-head.ts'
import { type Restoration, restorationProblem } from './restoration.ts'
import { readRestorations } from './restorations.sql.ts'
import { Unsound } from './unsound.ts'

/** Up to where the chain was walked: the newest link, and the newest block at or before it. */
export type Position = { head: Head | null; block: Block | null; restored: boolean }
type Link = {
  head: Head
  /** Null if the link is a restoration. */
  block: Block | null
  /** Rows of the block that are in the database. */
  rows: number
  restoration: Restoration | null
  after: Position
}
export const noPosition: Position = { head: null, block: null, restored: false }
const blocks_at_once = 500
const least_id = -(2n ** 63n)
const last_xid = String(2n ** 64n - 1n)

/** Throws unless the block continues where the previous link ended, with a valid seal. */
function checkBlock(block: Block, { head, block: before, restored }: Position, trusted: Trusted) {
  const bad = (problem: string) => new Unsound('block', block.number, problem)
  const expected = String(BigInt(head?.number ?? 0) + 1n)
  if (block.number !== expected)
    throw new Unsound('block', expected, `is missing: the next one is ${block.number}`)
  const seal = sealProblem(block, trusted)
  if (seal) throw bad(seal)
  if (block.previous_hash !== (head?.block_hash ?? noBlockHash))
    throw bad('does not name the hash of the block before it')
  const fromStart = block.from_xid === '0' && block.from_id === '0'
  const goesOn = before
    ? block.era === before.era &&
      block.first_id === before.first_id &&
      block.from_xid === before.to_xid &&
      block.from_id === before.to_id
    : block.era === 1 && block.first_id === String(least_id) && fromStart
  const newEra = before
    ? block.era > before.era && fromStart && BigInt(block.first_id) > BigInt(before.highest_id)
    : restored && fromStart
  if (!goesOn && !newEra) throw bad('does not begin where the block before it ended')
}

function checkEra(block: Block, eras: Eras): void {
  const era = eras.find((one) => one.era === block.era)
  if (era === undefined) throw new Unsound('era', String(block.era), 'is missing')
  if (String(era.first_id) !== block.first_id)
    throw new Unsound('era', String(block.era), 'does not begin where its blocks state')
}

function checkRestoration(one: Restoration, { head }: Position, trusted: Trusted): void {
  const bad = (problem: string) => new Unsound('restoration', one.number, problem)
  const seal = restorationProblem(one, trusted)
  if (seal) throw bad(seal)
  if (
    one.previous_number !== (head?.number ?? '0') ||
    one.previous_hash !== (head?.block_hash ?? noBlockHash)
  )
    throw bad('does not name the block before it')
}

/** Throws unless the shared block's archived leaves are those that the archives' records state. */
function checkArchived(
  block: Block,
  leaves: readonly { archive: string | null; row_hash: Buffer }[],
  archives: readonly ArchiveRecord[],
): void {
  let known = 0
  for (const { name, partial_blocks } of archives) {
    const stated = partial_blocks.find(({ number }) => number === block.number)
    const part = leaves.filter(({ archive }) => archive === name)
    if (part.length !== (stated?.row_count ?? 0))
      throw new Unsound(
        'block',
        block.number,
        `has ${part.length} rows in archive ${name}, which states ${stated?.row_count ?? 0}`,
      )
    const root = merkleRoot(part.map(({ row_hash }) => row_hash)).toString('hex')
    if (stated && root !== stated.merkle_root)
      throw new Unsound('block', block.number, `has other rows than archive ${name} states`)
    known += part.length
  }
  if (leaves.filter(({ archive }) => archive !== null).length !== known)
    throw new Unsound('block', block.number, 'has rows in an archive that is not recorded')
}

/** Checks the rows of a block that are in the database; returns their number. */
async function checkRows(
  sql: Sql,
  block: Block,
  { eras, archives }: { eras: Eras; archives: readonly ArchiveRecord[] },
): Promise<number> {
  const whole = archiveOfBlock(block.number, archives)
  if (whole) {
    for await (const row of verifiedRows(sql, spanOf(block, eras)))
      throw new Unsound('row', String(row.id), `is in no block: archive ${whole.name} has all rows`)
    return 0
  }
  const leaves = await verifiedLeaves(sql, block, eras)
  checkArchived(block, leaves, archives)
  return leaves.filter(({ row }) => row !== null).length
}

/** The records of archives, read again where one may have been made meanwhile. */
class Archives {
  #sql: Sql
  #trusted: Trusted
  #records: ArchiveRecord[] = []

  constructor(sql: Sql, trusted: Trusted) {
    this.#sql = sql
    this.#trusted = trusted
  }

  /** Reads all records; true when there are more of them. */
  async read(): Promise<boolean> {
    const before = this.#records.length
    this.#records = await readArchives(this.#sql)
    for (const one of this.#records) {
      const problem = archiveProblem(one, this.#trusted)
      if (problem) throw new Unsound('archive', one.name, problem)
    }
    return this.#records.length > before
  }

  /** Checks the rows of a block, and checks them again if an archive took them away meanwhile. */
  async checkRows(block: Block, eras: Eras): Promise<number> {
    for (;;)
      try {
        return await checkRows(this.#sql, block, { eras, archives: this.#records })
      } catch (error) {
        if (!(error instanceof Unsound) || !(await this.read())) throw error
      }
  }
}

/**
 * Checks the rows after the newest block of their era. An era that is over has none; in the last
 * era they are the unsealed rows.
 */
export async function countUnsealed(sql: Sql, head: Block | null): Promise<number> {
  const eras = await sql.run(readEras)
  if (eras.length === 0) throw new Unsound('era', '1', 'is missing')
  let unsealed = 0
  for (const { era, first_id } of eras.filter((one) => one.era >= (head?.era ?? 1))) {
    const here = head?.era === era
    const rows = verifiedRows(sql, {
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

/** When the log continues in a new era, all rows of the previous one must be sealed. */
async function checkEraEnd(sql: Sql, last: Block, eras: Eras): Promise<void> {
  const rows = verifiedRows(sql, {
    from_xid: last.to_xid,
    from_id: last.to_id,
    first_id: BigInt(last.first_id),
    below_id: belowId(eras, last.era),
    to_xid: last_xid,
    to_id: String(endless_id),
  })
  for await (const row of rows) throw new Unsound('row', String(row.id), 'is in no block')
}

/**
 * Every link after a position with its rows, in order; throws Unsound at the first inconsistency.
 * Reads in batches; needs no lock, and sealers may go on meanwhile.
 */
export async function* verifiedLinks(
  sql: Sql,
  { trusted, from }: { trusted: Trusted; from: Position },
): AsyncGenerator<Link> {
  let at = from
  const archives = new Archives(sql, trusted)
  await archives.read()
  for await (const link of linksAfter(sql, BigInt(from.head?.number ?? 0))) {
    if ('previous_number' in link) {
      checkRestoration(link, at, trusted)
      const head = { number: link.number, block_hash: link.record_hash }
      at = { head, block: at.block, restored: true }
      yield { head, block: null, rows: 0, restoration: link, after: at }
    } else {
      const eras = await sql.run(readEras)
      checkBlock(link, at, trusted)
      checkEra(link, eras)
      if (at.block && at.block.era !== link.era) await checkEraEnd(sql, at.block, eras)
      const rows = await archives.checkRows(link, eras)
      const head = { number: link.number, block_hash: link.block_hash }
      at = { head, block: link, restored: false }
      yield { head, block: link, rows, restoration: null, after: at }
    }
  }
}

async function* linksAfter(sql: Sql, after: bigint): AsyncGenerator<Block | Restoration> {
  for (let number = after; ; ) {
    const rows = await sql.run(blocksAfter, { after: number, limit: blocks_at_once })
    // Read second: a restoration is committed before the first block that follows it.
    const all = await readRestorations(sql)
    const last = rows.at(-1)?.number ?? endless_id
    const between = all.filter((one) => BigInt(one.number) > number && BigInt(one.number) <= last)
    const links = [...rows.map(blockOf), ...between]
    yield* links.sort((a, b) => Number(BigInt(a.number) - BigInt(b.number)))
    if (rows.length === 0) return
    number = last
  }
}
