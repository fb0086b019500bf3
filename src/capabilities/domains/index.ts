// The domains module: its operations and jobs.

import { runApprovals } from './approved-requests/run-approvals.job.ts'
import { purgeOldDnsChanges } from './dns/purge-changes.job.ts'
import { pushZones, repairZonesHourly } from './dns/push-zones.job.ts'
import { revertUnconfirmedDnsChanges } from './dns/records/revert-unconfirmed.job.ts'
import { purgeDnsSignedRequests } from './dns/updates/purge-requests.job.ts'
import { autoRenew } from './expiry/auto-renew.job.ts'
import { deleteUnrenewed } from './expiry/delete-unrenewed.job.ts'
import { sendNotices } from './expiry/expiry-notices.job.ts'
import { syncDomains } from './holdings/sync-domains.job.ts'
import { approveTransfer, rejectTransfer } from './operations/answer-transfer.ts'
import { cancelTransfer } from './operations/cancel-transfer.ts'
import { checkDomains, checkOneDomain } from './operations/check-domains.ts'
import { createQuote } from './operations/create-quote.ts'
import { changeDnsRecords, replaceDnsRecords } from './operations/dns/change-dns-records.ts'
import { configureDnsRecord } from './operations/dns/configure-dns-record.ts'
import { confirmDnsChange } from './operations/dns/confirm-dns-change.ts'
import { getDnsChange, listDnsChanges, revertDnsChange } from './operations/dns/dns-changes.ts'
import { applyDnsTemplate, listDnsTemplates } from './operations/dns/dns-templates.ts'
import { listDnsRecords } from './operations/dns/list-dns-records.ts'
import { deleteRecordSet, listRecordSets, putRecordSet } from './operations/dns/record-sets.ts'
import { scanDnsZone } from './operations/dns/scan-dns-zone.ts'
import { createTsigKey, deleteTsigKey, listTsigKeys } from './operations/dns/tsig-keys.ts'
import { exportDnsZone, importDnsZone } from './operations/dns/zone-file.ts'
import { downloadReceipt } from './operations/download-receipt.ts'
import { getDomain } from './operations/get-domain.ts'
import { getOperation, waitForOperation } from './operations/get-operation.ts'
import { getReceipt } from './operations/get-receipt.ts'
import { getStateModel } from './operations/get-state-model.ts'
import { listDomains } from './operations/list-domains.ts'
import { lockDomain, unlockDomain } from './operations/lock.ts'
import { protectDomain, unprotectDomain } from './operations/protect.ts'
import { getTransferAuthCode, regenerateTransferAuthCode } from './operations/read-auth-code.ts'
import { registerDomain } from './operations/register.ts'
import { renewDomain } from './operations/renew.ts'
import { restoreDomain } from './operations/restore.ts'
import { setDomainReserve } from './operations/set-domain-reserve.ts'
import { transferDomain } from './operations/transfer.ts'
import { updateDomain } from './operations/update-domain.ts'
import {
  cancelWaitingNameservers,
  getWaitingNameservers,
} from './operations/waiting-nameservers.ts'
import { notifyOrderResults } from './orders/notify-order-results.job.ts'
import { settleOrders } from './orders/settle-orders.job.ts'
import { listParkedOrders } from './parked-orders/list-parked-orders.ts'
import { releaseParkedOrder, settleParkedOrder } from './parked-orders/resolve-parked-order.ts'
import { pollRegistries } from './poll/poll-messages.job.ts'
import { getRunway } from './runway/get-runway.ts'
import { getDomainsSummary } from './summary/get-domains-summary.ts'
import { unsetAuthCodes } from './updates/auth-codes/expire-auth-codes.job.ts'
import { removeClientStatuses } from './updates/remove-client-statuses.job.ts'
import { setOrderedNameservers } from './updates/set-ordered-nameservers.job.ts'
import { revertUnconfirmedNameservers } from './updates/unconfirmed/revert-nameservers.job.ts'
import { setServedNameservers } from './updates/waiting/set-served-nameservers.job.ts'

export { newAvailabilityCache } from './availability.ts'
export { packetPace } from './dns/scan/scan-limits.ts'
export { openSignedMessages } from './dns/updates/signed-messages.ts'
export { zoneStore } from './dns/zone-store.ts'
export { openZones } from './dns/zones.ts'
export { domainNotFound } from './faults.ts'
export { lifecycleStatus } from './holdings/lifecycle.ts'
export { openOrderBatcher } from './orders/order-batcher.ts'
export { PollRounds } from './poll/poll-rounds.ts'
export {
  applyFindings,
  compareRegistries,
  linesOf,
  listedNames,
} from './registry-comparison/compare-registries.ts'

export const operations = [
  checkDomains,
  checkOneDomain,
  getStateModel,
  getDomain,
  listDomains,
  getDomainsSummary,
  registerDomain,
  getRunway,
  renewDomain,
  restoreDomain,
  createQuote,
  getOperation,
  waitForOperation,
  getReceipt,
  downloadReceipt,
  transferDomain,
  cancelTransfer,
  updateDomain,
  getWaitingNameservers,
  cancelWaitingNameservers,
  lockDomain,
  unlockDomain,
  protectDomain,
  unprotectDomain,
  setDomainReserve,
  getTransferAuthCode,
  regenerateTransferAuthCode,
  approveTransfer,
  rejectTransfer,
  configureDnsRecord,
  listDnsRecords,
  listRecordSets,
  putRecordSet,
  deleteRecordSet,
  changeDnsRecords,
  replaceDnsRecords,
  listDnsChanges,
  getDnsChange,
  confirmDnsChange,
  revertDnsChange,
  exportDnsZone,
  importDnsZone,
  scanDnsZone,
  listDnsTemplates,
  applyDnsTemplate,
  createTsigKey,
  listTsigKeys,
  deleteTsigKey,
  listParkedOrders,
  settleParkedOrder,
  releaseParkedOrder,
]
export const jobs = [
  runApprovals,
  settleOrders,
  unsetAuthCodes,
  pushZones,
  repairZonesHourly,
  purgeOldDnsChanges,
  revertUnconfirmedDnsChanges,
  purgeDnsSignedRequests,
  revertUnconfirmedNameservers,
  pollRegistries,
  syncDomains,
  sendNotices,
  autoRenew,
  deleteUnrenewed,
  setOrderedNameservers,
  setServedNameservers,
  removeClientStatuses,
  notifyOrderResults,
]
