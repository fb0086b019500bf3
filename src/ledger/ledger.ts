// The ledger in TypeScript: thin calls of the SQL functions that hold the laws, in the bookkeeper's
// words.
import type { Sql } from '../db/database.ts'
import { json } from '../db/statement.ts'
import type { Currency } from '../kit/money.ts'
import { balanceOf, entriesOf, topUpEntry } from './store.ts'

/** What an entry is about; it never decides anything. */
export type EntryFacts = {
  description: string
  domain?: string
  operation_id?: string
  checkout_id?: string
  invoice_id?: string
}

/** Minor units that a customer may spend, and that wait for a registry. */
export type Balance = { available: bigint; held: bigint; updated_at: Date | null }

/**
 * Credits money that came in from outside. Answers the entry's id. `amount` in minor units, above
 * zero.
 */
export async function topUp(
  sql: Sql,
  to: { customer_id: string; currency: Currency; amount: bigint },
  facts: EntryFacts,
): Promise<bigint> {
  const row = await sql.one(topUpEntry, [to.customer_id, to.currency, to.amount, json(facts)])
  return row.entry_id
}

/** A customer's balance; zero where it never had money in that currency. */
export async function readBalance(
  sql: Sql,
  customerId: string,
  currency: Currency,
): Promise<Balance> {
  const row = await sql.maybe(balanceOf, [customerId, currency])
  return row ?? { available: 0n, held: 0n, updated_at: null }
}

/** Entries of a customer, newest first; `before` is the id of the last one seen. */
export function readEntries(
  sql: Sql,
  customerId: string,
  page: { currency: Currency | null; before: bigint | null; limit: number },
) {
  return sql.run(entriesOf, [customerId, page.currency, page.before, BigInt(page.limit)])
}
