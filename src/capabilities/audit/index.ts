// Audit log: hash-chained rows, sealed in signed blocks, with proofs and verification.

import { randomUUID } from 'node:crypto'
import type { App, Call, Job, Operation } from '../../app.ts'
import { neverAborted } from '../../kit/concurrency/auto-reset-event.ts'
import { checkAuditLog } from './jobs/check-chain.job.ts'
import { sealAuditLog } from './jobs/seal.job.ts'
import { exportAuditLogs } from './operations/export.ts'
import { listAuditLogs } from './operations/list.ts'
import { listDomainAuditLogs } from './operations/list-domains.ts'
import { readAuditHead } from './operations/read-head.ts'
import { readAuditProof } from './operations/read-proof.ts'
import { systemAuditRow } from './rows/row.ts'

export { archiveAudit } from './archive/archive-audit.ts'
export { archivedProofCommand } from './archive/archived-proof.ts'
export { storeAuditRow } from './chain/audit.sql.ts'
export { type Block, keyIdOf, readPublicKey } from './chain/block.ts'
export { type InclusionProof, inclusionProof, verifyInclusion } from './chain/inclusion-proof.ts'
export { type LoggedRow, readLog } from './chain/log-reader.ts'
export { archiveNotedHead, notedHead } from './chain/noted-head.ts'
export { type AuditSigner, hasOwnKey, openAuditSigner, trustedKeys } from './chain/signer.ts'
export { auditHealth } from './jobs/alarms.ts'
export { newChainCheck } from './jobs/check-chain.job.ts'
export { type AuditContext, auditRowOf, systemAuditRow } from './rows/row.ts'
export { acceptRestoredAudit } from './verify/accept-restored.ts'
export { type AuditReport, verifyAudit } from './verify/verify.ts'
export { verifyAuditCommand } from './verify/verify-command.ts'

export const operations: Operation[] = [
  listAuditLogs,
  listDomainAuditLogs,
  exportAuditLogs,
  readAuditProof,
  readAuditHead,
]
export const jobs: Job[] = [sealAuditLog, checkAuditLog]

/**
 * The call context of jobs: the registrar itself, outside any request. Its audit rows have actor
 * `system`, entry point `job` and the name as their action.
 */
export function systemCall(app: App, name: string): Call {
  const agent_identifier = `agent-registrar/${name}`
  return {
    caller: { kind: 'anonymous' },
    customer_id: '',
    request_id: `job_${randomUUID()}`,
    address: '',
    entry_point: 'job',
    agent_identifier,
    user_agent: agent_identifier,
    cookies: new Map(),
    by_cookie: false,
    wants_page: false,
    wants_csv: false,
    raw_body: new Uint8Array(),
    closed: neverAborted,
    reauthorize: async () => undefined,
    assertStillAllowed: async () => ({ protected: false, records_free: false }),
    sql: app.db,
    // One context has the rows of many runs, so a note would be in all that follow.
    note() {
      throw new Error('A job gives the metadata of a row with the row')
    },
    auditRow: (facts) =>
      systemAuditRow(
        { action: facts.action ?? name, agent_identifier, now: app.clock.now() },
        facts,
      ),
  }
}
