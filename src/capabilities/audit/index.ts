// The audit room: what other rooms and the entrance may use of it.
export { type AuditContext, auditRowOf, systemAuditRow } from './row.ts'
export { storeAuditRow } from './store.ts'
