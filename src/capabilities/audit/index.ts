// The audit room: its operations and job, and what others may use of it.
import type { Job, Operation } from '../../app.ts'
import { checkAuditLog } from './check.job.ts'
import { listAuditLogs } from './list.ts'
import { listDomainAuditLogs } from './list-domains.ts'
import { readAuditHead } from './read-head.ts'
import { readAuditProof } from './read-proof.ts'
import { sealAuditLog } from './seal.job.ts'

export { acceptRestoredAudit } from './accept-restored.ts'
export { auditHealth } from './alarms.ts'
export { type Block, keyIdOf, readPublicKey } from './block.ts'
export { notedHead, setHeadAside } from './noted-head.ts'
export { type InclusionProof, inclusionProof, verifyInclusion } from './proof.ts'
export { type AuditContext, auditRowOf, systemAuditRow } from './row.ts'
export { type AuditSigner, hasOwnKey, openAuditSigner, trustedKeys } from './signer.ts'
export { storeAuditRow } from './store.ts'
export { systemCall } from './system-call.ts'
export { type AuditReport, verifyAudit } from './verify.ts'
export { verifyAuditCommand } from './verify-command.ts'

export const operations: Operation[] = [
  listAuditLogs,
  listDomainAuditLogs,
  readAuditProof,
  readAuditHead,
]
export const jobs: Job[] = [sealAuditLog, checkAuditLog]
