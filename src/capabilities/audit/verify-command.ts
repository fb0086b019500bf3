// verify-audit for the command line: the whole log against the keys and the newest block that the
// data folder knows.
import type { Sql } from '../../db/database.ts'
import { notedHead, type SignerSettings, trustedKeys } from './signer.ts'
import { type AuditReport, verifyAudit } from './verify.ts'

function linesOf(report: AuditReport): string[] {
  const checked = `${report.blocks} blocks with ${report.rows} rows are good`
  if (report.bad) {
    const { what, id, problem } = report.bad
    return [
      `BAD ${what === 'head' ? 'newest block' : what} ${id} ${problem}.`,
      `Before it, ${checked}.`,
    ]
  }
  const head = report.head
    ? `Newest block: ${report.head.number} ${report.head.block_hash}`
    : 'No block yet'
  return [`The audit log is good: ${checked}, ${report.unsealed} rows are not sealed yet.`, head]
}

/** Verifies and says it in lines; `ok` false should end the command with status 1. */
export async function verifyAuditCommand({
  db,
  settings,
}: {
  db: Sql
  settings: SignerSettings
}): Promise<{ ok: boolean; lines: string[]; report: AuditReport }> {
  const report = await verifyAudit(db, trustedKeys({ settings }), notedHead({ settings }))
  return { ok: report.ok, lines: linesOf(report), report }
}
