// Limits of API keys and connected apps, set by their owner: budgets, visible domains and permitted
// purchases.
import { getLimits } from './get-limits.ts'

export {
  allowedNames,
  callerLimitEntries,
  callerLimitsOf,
  isAllowedAddress,
  isAllowedTld,
  isVisibleDomain,
  type LimitedBy,
  type LimitRule,
  limitedBy,
  limitFault,
  limitRules,
  mayAskForName,
  mayAskForTld,
  mayBuy,
  mayBuyDomain,
  needsApproval,
  refuseOverLimits,
  requireAllDomains,
  seesDomain,
  visibleNames,
} from './caller-limits.ts'
export { type PresentRights, presentRights } from './caller-rights.ts'
export {
  addLimits,
  appTarget,
  keyTarget,
  type LimitTarget,
  readLimitsOf,
  replaceLimits,
  widerThanCaller,
} from './change-limits.ts'
export { dnsHostsField, dnsListSizes, dnsTypesField, readDnsLimit } from './dns-fields.ts'
export { dnsRecordNotAllowed, recordsNeedNoApproval, requireRecordsAllowed } from './dns-limits.ts'
export {
  addressNotAllowed,
  approvalFact,
  approvalRequired,
  buyerEnded,
  currencyNotAllowed,
  domainNotAllowed,
  limitNotHeld,
  pageOfApps,
  priceAboveLimit,
  spendLimitExceeded,
} from './faults.ts'
export { limitEntries } from './get-limits.ts'
export { matchesHost } from './host-patterns.ts'
export {
  type Limits,
  limitFields,
  limitsShape,
  type SpendWindow,
  spendWindows,
} from './limit-fields.ts'
export { type LimitsRow, limitsOfApps, limitsOfKeys } from './limits.sql.ts'
export {
  auditedLimits,
  changedLimits,
  isLimited,
  limitsBody,
  noLimits,
  readLimits,
  type StoredLimits,
} from './limits.ts'

export const operations = [getLimits]
