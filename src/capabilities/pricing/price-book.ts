// The price book that quotes are made from: the table of prices, kept for a moment by each process.
import type { App } from '../../app.ts'
import { type ExpiringMap, newExpiringMap } from '../../kit/expiring-map.ts'
import { type Currency, currencies } from '../../kit/money.ts'
import { wordOf } from '../../kit/schema.ts'
import { type Action, actions, type TldPrice } from './price.ts'
import { pricesIn } from './prices.sql.ts'
import { type Ask, type Quote, quote } from './quote.ts'

type BookEntry = TldPrice & { synced_at: Date }
/** The prices by TLD, then by action. */
type Prices = ReadonlyMap<string, ReadonlyMap<Action, BookEntry>>
/** Undefined if no price is known (price_unavailable). */
export type QuoteOf = (ask: Ask) => Quote | undefined

// A sync on another node is seen this much later. Until then a purchase acknowledges the old cost,
// which the registry refuses if it is no longer true.
const ttl_ms = 2_000

declare module '../../app.ts' {
  interface App {
    priceBook: PriceBook
  }
}

type PriceBookParts = Pick<App, 'db' | 'monotonic_ms'>

/** The table's rows as quotes need them, kept for a moment by each process. */
export class PriceBook {
  readonly #parts: PriceBookParts
  readonly #kept: ExpiringMap<Promise<Prices>>

  constructor(parts: PriceBookParts) {
    this.#parts = parts
    const { monotonic_ms } = parts
    this.#kept = newExpiringMap({ max: currencies.length, ttl_ms, monotonic_ms })
  }

  /** The prices in one currency, at most two seconds old. */
  read(currency: Currency): Promise<Prices> {
    const kept = this.#kept.get(currency)
    if (kept) return kept
    const prices = readPrices(this.#parts, currency)
    this.#kept.set(currency, prices)
    // A failed read is not kept; its waiting callers get its error.
    prices.catch(() => {
      if (this.#kept.peek(currency) === prices) this.#kept.delete(currency)
    })
    return prices
  }

  /** Makes the next quote read the table again. */
  drop(): void {
    this.#kept.clear()
  }
}

async function readPrices({ db }: PriceBookParts, currency: Currency): Promise<Prices> {
  const prices = new Map<string, Map<Action, BookEntry>>()
  for (const row of await db.run(pricesIn, { currency })) {
    const action = wordOf(actions, row.action)
    const ofTld = prices.get(row.tld) ?? new Map<Action, BookEntry>()
    const cost_currency = wordOf(currencies, row.cost_currency)
    prices.set(row.tld, ofTld.set(action, { ...row, currency, action, cost_currency }))
  }
  return prices
}

/**
 * Quotes in one currency, each without a query of its own: `(await openQuotes(app, 'USD'))({action,
 * tld, years, checked})`.
 */
export async function openQuotes(app: App, currency: Currency): Promise<QuoteOf> {
  const book = await app.priceBook.read(currency)
  return (ask) => {
    const source = app.registries.byTld.get(ask.tld)
    const prices = book.get(ask.tld) ?? new Map<Action, TldPrice>()
    return source && quote(ask, { currency, source, prices })
  }
}

/** Like openQuotes, for registrations. */
export async function quoteRegistration(app: App, currency: Currency) {
  const quoteOf = await openQuotes(app, currency)
  return (ask: Omit<Ask, 'action'>) => quoteOf({ ...ask, action: 'register' })
}
