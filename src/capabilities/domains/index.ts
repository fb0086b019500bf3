// The domains room: availability, purchase and holdings.

import { checkDomains, checkOneDomain } from './check.ts'
import { forgetIdempotencyKeys } from './forget-keys.job.ts'
import { listDomains } from './list.ts'
import { getOperation } from './operation.ts'
import { getDomain } from './read.ts'
import { registerDomain } from './register.ts'
import { settleOrders } from './settle-orders.job.ts'

export const operations = [
  checkDomains,
  checkOneDomain,
  registerDomain,
  listDomains,
  getDomain,
  getOperation,
]
export const jobs = [settleOrders, forgetIdempotencyKeys]
