// The domains room: availability, purchase and holdings.

import type { Sql } from '../../db/database.ts'
import { checkDomains, checkOneDomain } from './check.ts'
import { listDomains } from './list.ts'
import { getOperation } from './operation.ts'
import { getDomain } from './read.ts'
import { registerDomain } from './register.ts'
import { settleOrders } from './settle-orders.job.ts'
import { openOrderCounts } from './store.ts'

export const operations = [
  checkDomains,
  checkOneDomain,
  registerDomain,
  listDomains,
  getDomain,
  getOperation,
]
export const jobs = [settleOrders]

/** How many orders are open, wait for a person, and ring: for health. */
export function orderCounts(sql: Sql) {
  return sql.one(openOrderCounts, [])
}
