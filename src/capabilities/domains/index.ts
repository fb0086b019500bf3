// The domains room: availability, purchase and holdings.

import { unsetAuthCodes } from './auth-code.job.ts'
import { getTransferAuthCode, regenerateTransferAuthCode } from './auth-code.ts'
import { checkDomains, checkOneDomain } from './check.ts'
import { configureDnsRecord } from './dns-record.ts'
import { forgetIdempotencyKeys } from './forget-keys.job.ts'
import { lifeJobs } from './life-jobs.ts'
import { listDomains } from './list.ts'
import { lockDomain, unlockDomain } from './lock.ts'
import { updateDomain } from './nameservers.ts'
import { getOperation } from './operation.ts'
import { listParkedOrders } from './parked.ts'
import { releaseParkedOrder, settleParkedOrder } from './parked-end.ts'
import { getDomain } from './read.ts'
import { getStateModel } from './read-state-model.ts'
import { registerDomain } from './register.ts'
import { renewDomain } from './renew.ts'
import { restoreDomain } from './restore.ts'
import { settleOrders } from './settle-orders.job.ts'
import { transferDomain } from './transfer.ts'
import { cancelTransfer } from './transfer-cancel.ts'
import { approveTransfer, rejectTransfer } from './transfer-out.ts'
import { mendZonesHourly, pushZones } from './zones.job.ts'

export { openZones, zoneFinder } from './zones.ts'

export const operations = [
  checkDomains,
  checkOneDomain,
  getStateModel,
  getDomain,
  listDomains,
  registerDomain,
  renewDomain,
  restoreDomain,
  getOperation,
  transferDomain,
  cancelTransfer,
  updateDomain,
  lockDomain,
  unlockDomain,
  getTransferAuthCode,
  regenerateTransferAuthCode,
  approveTransfer,
  rejectTransfer,
  configureDnsRecord,
  listParkedOrders,
  settleParkedOrder,
  releaseParkedOrder,
]
export const jobs = [
  settleOrders,
  forgetIdempotencyKeys,
  unsetAuthCodes,
  pushZones,
  mendZonesHourly,
  ...lifeJobs,
]
