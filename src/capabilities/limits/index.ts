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
export { type LimitsRow, limitsOfApps, limitsOfKeys } from './limits.sql.ts'
export {
  auditedLimits,
  changedLimits,
  isLimited,
  type Limits,
  limitFields,
  limitsBody,
  limitsShape,
  noLimits,
  readLimits,
  type SpendWindow,
  type StoredLimits,
  spendWindows,
} from './limits.ts'

export const operations = [getLimits]
