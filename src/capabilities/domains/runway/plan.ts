// The domains of an account with the prices of their renewals, and the balances that pay these.

import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import { type Currency, currencies, parseDecimal } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { wordOf } from '../../../kit/schema.ts'
import { type Balance, readBalance } from '../../../ledger/ledger.ts'
import { actions, openQuotes, type QuoteOf } from '../../pricing/index.ts'
import { runwayDomains } from './runway.sql.ts'
import type { Renewable } from './runway.ts'

export type Balances = ReadonlyMap<Currency, Balance>

export type Plan = { planned: Planned[]; balances: Balances }

/** All domains of the account, even those a token may not see, since one balance pays for them. */
export async function readPlan(app: App, sql: Sql, customer_id: CustomerId): Promise<Plan> {
  const [rows, balances, quotes] = await Promise.all([
    sql.run(runwayDomains, { customer_id }),
    readBalances(sql, customer_id),
    quotesByCurrency(app),
  ])
  return { planned: rows.map((row) => plannedOf(row, quotes)), balances }
}

async function readBalances(sql: Sql, customer_id: CustomerId): Promise<Balances> {
  const read = currencies.map(
    async (currency) => [currency, await readBalance(sql, customer_id, currency)] as const,
  )
  return new Map(await Promise.all(read))
}

export type Quotes = ReadonlyMap<Currency, QuoteOf>

export async function quotesByCurrency(app: App): Promise<Quotes> {
  const opened = currencies.map(async (one) => [one, await openQuotes(app, one)] as const)
  return new Map(await Promise.all(opened))
}

export type Planned = Renewable & Pick<Row<'domains_runway'>, 'auto_renew' | 'is_renewable'>

/** The facts by which a domain's renewal is priced. */
type Priced = Omit<Row<'domains_runway'>, 'auto_renew'>

/** Adds the currency that the next year is paid in, and its price, or null if it is unknown. */
export function plannedOf<Facts extends Priced>(row: Facts, quotes: Quotes) {
  const currency = wordOf(currencies, row.currency ?? 'USD')
  const quoteOf = quotes.get(currency)
  const price = row.is_renewable && quoteOf ? priceOf(row, quoteOf) : null
  return { ...row, currency, price }
}

/** Null if it is unknown: the list has no price of a name that cost more than its TLD's others. */
function priceOf(row: Priced, quoteOf: QuoteOf): bigint | null {
  const { name, fee_amount, fee_currency, fee_type, fee_years } = row
  const tld = name.slice(name.indexOf('.') + 1)
  const standard = quoteOf({ action: 'renew', tld, years: 1, checked: null })
  if (!standard) return null
  if (fee_amount === null || fee_type === null || !fee_years) return standard.amount
  const action = wordOf(actions, fee_type)
  const then = quoteOf({ action, tld, years: fee_years, checked: null })
  const fee = parseDecimal(fee_amount)
  const isStandard =
    then && fee !== undefined && fee_currency === then.cost.currency && fee <= then.cost.amount
  return isStandard ? standard.amount : null
}
