// The command verify-audit: verifies the whole log with the keys and the noted head of the data
// folder, and with a head that was saved elsewhere.
import type { Sql } from '../../../db/database.ts'
import type { ArchiveRecord } from '../chain/archive-record.ts'
import { notedHead, parseHead } from '../chain/noted-head.ts'
import type { Restoration } from '../chain/restoration.ts'
import { headProblem, signedHead } from '../chain/signed-head.ts'
import { type SignerSettings, trustedKeys } from '../chain/signer.ts'
import { type AuditReport, verifyAudit } from './verify.ts'

function linesOf(report: AuditReport): string[] {
  const extent = `${report.blocks} blocks with ${report.rows} rows`
  const checked = `${extent} are valid`
  const restored = report.restorations.map(restoredLine)
  if (report.bad) {
    const { what, id, problem } = report.bad
    return [
      `BAD ${what === 'head' ? 'newest block' : what} ${id} ${problem}.`,
      `Before it, ${checked}.`,
      ...restored,
    ]
  }
  const head = report.head
    ? `Newest block: ${report.head.number} ${report.head.block_hash}`
    : 'No block yet'
  const unsealed = `${report.unsealed} rows are not sealed yet`
  const good =
    report.unread.length === 0
      ? `The audit log is valid: ${extent}; ${unsealed}.`
      : `NOT COMPLETE: archived rows were not checked. Present: ${checked}, ${unsealed}.`
  return [good, ...report.unread.map(unreadLine), head, ...restored]
}

function unreadLine({ name, row_count, first_block, last_block }: ArchiveRecord): string {
  return (
    `Not checked: archive ${name}, ${row_count} rows of blocks ${first_block} to ${last_block}. ` +
    'Name its folder: --archive DIR'
  )
}

function restoredLine({ number, previous_number, created_at, era, reason }: Restoration): string {
  const from = BigInt(previous_number) + 1n
  return (
    `Restored: numbers ${from} to ${BigInt(number) - 1n} were abandoned on ${created_at}, ` +
    `and era ${era} began: ${reason}`
  )
}

type VerifyOptions = {
  db: Sql
  settings: SignerSettings
  /** The text of a head that was saved elsewhere. */
  saved?: string | null
  /** The folder of the archives. */
  archive_dir?: string | null
}
type Verified = { ok: boolean; lines: string[]; report: AuditReport | null }

/**
 * Verifies and returns lines to print; `ok` false should end the command with status 1, and a
 * report with archives that were not read with status 3.
 */
export async function verifyAuditCommand(options: VerifyOptions): Promise<Verified> {
  const { db, settings, saved: text = null, archive_dir = null } = options
  const trusted = trustedKeys({ settings })
  const saved = text === null ? null : parseHead(text)
  if (text !== null && saved === null)
    return { ok: false, lines: ['The file holds no head: {"number", "block_hash"}.'], report: null }
  const signed = text === null ? null : signedHead(text)
  const unsound = signed && headProblem(signed, trusted)
  if (unsound)
    return { ok: false, lines: [`BAD saved head ${signed.number} ${unsound}.`], report: null }
  const noted = notedHead({ settings })
  const report = await verifyAudit(db, trusted, { noted, saved, archive_dir })
  return { ok: report.ok, lines: linesOf(report), report }
}
