// The audit room: its operations and job, and what others may use of it.
import type { Job, Operation } from '../../app.ts'
import { listAuditLogs } from './list.ts'
import { listDomainAuditLogs } from './list-domains.ts'
import { readAuditProof } from './read-proof.ts'
import { sealAuditLog } from './seal.job.ts'

export { type Block, keyIdOf, readPublicKey } from './block.ts'
export { type InclusionProof, inclusionProof, verifyInclusion } from './proof.ts'
export { type AuditContext, auditRowOf, systemAuditRow } from './row.ts'
export { type AuditSigner, notedHead, openAuditSigner, trustedKeys } from './signer.ts'
export { storeAuditRow } from './store.ts'
export { systemCall } from './system-call.ts'
export { type AuditReport, verifyAudit } from './verify.ts'
export { verifyAuditCommand } from './verify-command.ts'

export const operations: Operation[] = [listAuditLogs, listDomainAuditLogs, readAuditProof]
export const jobs: Job[] = [sealAuditLog]
