// Reads of the ledger: balances and entries. Money moves only in SQL functions (README.md).

import type { Sql } from '../db/database.ts'
import type { Row } from '../db/statement.ts'
import type { Currency } from '../kit/money.ts'
import type { CustomerId } from '../kit/random.ts'
import {
  balanceBefore,
  balanceOf,
  countedEntries,
  debtsOf,
  entriesOf,
  entriesOfCurrency,
  owedBefore,
} from './ledger.sql.ts'

/**
 * Minor units that a customer may spend, that wait for a registry, that they owe since a payment
 * was reversed, and that they keep for renewals.
 */
export type Balance = {
  available: bigint
  held: bigint
  owed: bigint
  reserved: bigint
  updated_at: Date | null
}

/** A customer's balance, which is zero if it never had money in that currency. */
export async function readBalance(
  sql: Sql,
  customerId: CustomerId,
  currency: Currency,
): Promise<Balance> {
  const row = await sql.maybe(balanceOf, { customer_id: customerId, currency })
  return row ?? { available: 0n, held: 0n, owed: 0n, reserved: 0n, updated_at: null }
}

/** Debts of a customer, by currency. While there is one, nothing can be bought. */
export function readDebts(sql: Sql, customerId: CustomerId) {
  return sql.run(debtsOf, { customer_id: customerId })
}

/** Entries of a customer, newest first; `before` is the id of the last one seen. */
export function readEntries(
  sql: Sql,
  customerId: CustomerId,
  page: { currency: Currency | null; before: bigint | null; limit: number },
) {
  const { currency, before } = page
  const limit = BigInt(page.limit)
  return currency === null
    ? sql.run(entriesOf, { customer_id: customerId, before, limit })
    : sql.run(entriesOfCurrency, { customer_id: customerId, currency, before, limit })
}

/**
 * A period from one moment to another: the balance at its start, the lines that changed it, and the
 * debt at its end.
 */
export async function readPeriod(
  sql: Sql,
  account: { customer_id: CustomerId; currency: Currency },
  { from, to }: { from: Date; to: Date },
) {
  const [start, end] = await Promise.all([
    sql.one(balanceBefore, { ...account, moment: from }),
    sql.one(balanceBefore, { ...account, moment: to }),
  ])
  const { owed } = await sql.one(owedBefore, { ...account, moment: to, last_id: end.last_id })
  const entries: Row<'ledger_counted_entries'>[] = []
  let after = start.last_id
  for (;;) {
    const range = { after, up_to: end.last_id, limit: BigInt(most_read) }
    const page = await sql.run(countedEntries, { ...account, ...range })
    entries.push(...page)
    const last = page.at(-1)
    if (page.length < most_read || !last) return { opening: start.balance, entries, owed }
    after = last.id
  }
}

const most_read = 1_000
