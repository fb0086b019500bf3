// Paths of deposit addresses, from the database: one for each checkout.

import type { Database } from '../../../db/database.ts'
import type { CheckoutId } from '../../../kit/random.ts'
import { allDepositPaths, depositPathOf } from './deposit-paths.sql.ts'

type DepositPath = { branch: number; index: number }

/** The same path whenever it is asked for the same checkout, and never that of another. */
export async function depositPath(db: Database, checkout_id: CheckoutId): Promise<DepositPath> {
  const { branch, address_index } = await db.one(depositPathOf, { checkout_id })
  return { branch, index: address_index }
}

/** The paths of all checkouts, also of unpaid ones. */
export async function usedDepositPaths(db: Database): Promise<DepositPath[]> {
  const rows = await db.run(allDepositPaths)
  return rows.map(({ branch, address_index }) => ({ branch, index: address_index }))
}
