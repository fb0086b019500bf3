// Reads of the ledger: balances and entries. Money moves only in SQL functions (README.md).
import type { Sql } from '../db/database.ts'
import type { Currency } from '../kit/money.ts'
import { balanceOf, entriesOf, entriesOfCurrency } from './ledger.sql.ts'

/** Minor units that a customer may spend, and that wait for a registry. */
export type Balance = { available: bigint; held: bigint; updated_at: Date | null }

/** A customer's balance; zero where it never had money in that currency. */
export async function readBalance(
  sql: Sql,
  customerId: string,
  currency: Currency,
): Promise<Balance> {
  const row = await sql.maybe(balanceOf, { customer_id: customerId, currency })
  return row ?? { available: 0n, held: 0n, updated_at: null }
}

/** Entries of a customer, newest first; `before` is the id of the last one seen. */
export function readEntries(
  sql: Sql,
  customerId: string,
  page: { currency: Currency | null; before: bigint | null; limit: number },
) {
  const { currency, before } = page
  const limit = BigInt(page.limit)
  return currency === null
    ? sql.run(entriesOf, { customer_id: customerId, before, limit })
    : sql.run(entriesOfCurrency, { customer_id: customerId, currency, before, limit })
}
