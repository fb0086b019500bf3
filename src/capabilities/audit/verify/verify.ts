// Verification: checks the whole chain with all its rows, compares it with heads that were saved
// elsewhere, and names the first inconsistency.
import type { Sql } from '../../../db/database.ts'
import { verifyArchives } from '../archive/verify-archives.ts'
import type { ArchiveRecord } from '../chain/archive-record.ts'
import { readArchives } from '../chain/archives.sql.ts'
import type { Trusted } from '../chain/block.ts'
import { countUnsealed, noPosition, verifiedLinks } from '../chain/chain.ts'
import type { Head } from '../chain/noted-head.ts'
import { type Restoration, supersededBy } from '../chain/restoration.ts'
import { readRestorations } from '../chain/restorations.sql.ts'
import { type Finding, Unsound } from '../chain/unsound.ts'

export type AuditReport = {
  ok: boolean
  /** The first inconsistency; null when there is none. */
  bad: Finding | null
  /** The part before it, which is valid. Archives count only if they were read. */
  blocks: number
  rows: number
  /**
   * Archives that were not read, so that the blocks of their rows could not be compared with rows.
   */
  unread: ArchiveRecord[]
  /** The places where operators accepted an older state of the database. */
  restorations: Restoration[]
  /** Rows after the newest block, whose own hashes are valid. */
  unsealed: number
  head: Head | null
}
/** Heads from elsewhere; without one, a truncated end cannot be detected. */
type KnownHeads = {
  /** The head that the data folder noted. A later restoration may have given it up. */
  noted?: Head | null
  /**
   * A head that a customer or an operator kept. The log must have it, whatever was restored since.
   */
  saved?: Head | null
}
/** The folder of the archives; null leaves their rows unchecked. */
type Options = KnownHeads & { archive_dir?: string | null }

/**
 * Checks every row, block, restoration, link and signature. Needs no lock, and sealers may go on
 * meanwhile.
 */
export async function verifyAudit(
  sql: Sql,
  trusted: Trusted,
  { noted = null, saved = null, archive_dir = null }: Options = {},
): Promise<AuditReport> {
  const report: AuditReport = {
    ok: false,
    bad: null,
    blocks: 0,
    rows: 0,
    unread: [],
    restorations: [],
    unsealed: 0,
    head: null,
  }
  const open = new Set([noted, saved].filter((head) => head !== null))
  try {
    const read =
      archive_dir === null ? [] : await verifyArchives(sql, { dir: archive_dir, trusted })
    for (const { row_count } of read) report.rows += Number(row_count)
    let at = noPosition
    for await (const { head, block, rows, restoration, after } of verifiedLinks(sql, {
      trusted,
      from: at,
    })) {
      for (const known of open) if (isMet(known, head)) open.delete(known)
      at = after
      report.head = head
      if (restoration) report.restorations.push(restoration)
      if (block) report.blocks += 1
      report.rows += rows
    }
    for (const known of open) await refuseMissing(sql, known, { trusted, excused: known === noted })
    report.unsealed = await countUnsealed(sql, at.block)
    const names = new Set(read.map(({ name }) => name))
    report.unread = (await readArchives(sql)).filter(({ name }) => !names.has(name))
    return { ...report, ok: true }
  } catch (error) {
    if (!(error instanceof Unsound)) throw error
    return { ...report, bad: error.finding }
  }
}

function isMet(known: Head, head: Head): boolean {
  if (known.number !== head.number) return false
  if (known.block_hash === head.block_hash) return true
  throw new Unsound('head', head.number, 'is not the block that was noted under this number')
}

type Missing = { trusted: Trusted; excused: boolean }

async function refuseMissing(sql: Sql, known: Head, { trusted, excused }: Missing): Promise<void> {
  const by = supersededBy(known, await readRestorations(sql), trusted)
  if (by && excused) return
  throw new Unsound(
    'head',
    known.number,
    by
      ? `was abandoned by the restoration of ${by.created_at}: ${by.reason}`
      : 'was noted and is missing: the log was cut off',
  )
}
