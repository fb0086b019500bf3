// Audit log: hash-chained rows, sealed in signed blocks, with proofs and verification.
import type { Job, Operation } from '../../app.ts'
import { checkAuditLog } from './jobs/check-chain.job.ts'
import { sealAuditLog } from './jobs/seal.job.ts'
import { listAuditLogs } from './operations/list.ts'
import { listDomainAuditLogs } from './operations/list-domains.ts'
import { readAuditHead } from './operations/read-head.ts'
import { readAuditProof } from './operations/read-proof.ts'

export { storeAuditRow } from './chain/audit.sql.ts'
export { type Block, keyIdOf, readPublicKey } from './chain/block.ts'
export { type InclusionProof, inclusionProof, verifyInclusion } from './chain/inclusion-proof.ts'
export { notedHead, setHeadAside } from './chain/noted-head.ts'
export { type AuditSigner, hasOwnKey, openAuditSigner, trustedKeys } from './chain/signer.ts'
export { auditHealth } from './jobs/alarms.ts'
export { newChainCheck } from './jobs/check-chain.job.ts'
export { type AuditContext, auditRowOf, systemAuditRow } from './rows/row.ts'
export { systemCall } from './system-call.ts'
export { acceptRestoredAudit } from './verify/accept-restored.ts'
export { type AuditReport, verifyAudit } from './verify/verify.ts'
export { verifyAuditCommand } from './verify/verify-command.ts'

export const operations: Operation[] = [
  listAuditLogs,
  listDomainAuditLogs,
  readAuditProof,
  readAuditHead,
]
export const jobs: Job[] = [sealAuditLog, checkAuditLog]
