// The price book: the table's rows as quotes need them, kept for a moment by each process.
import type { App } from '../../app.ts'
import { type Currency, currencies } from '../../kit/money.ts'
import { wordOf } from '../../kit/schema.ts'
import { type Action, actions, type TldPrice } from './price.ts'
import { pricesIn } from './prices.sql.ts'
import { type Ask, type Quote, quote } from './quote.ts'

type BookEntry = TldPrice & { synced_at: Date }
/** By TLD, then by action. */
type PriceBook = ReadonlyMap<string, ReadonlyMap<Action, BookEntry>>
/** Undefined: no price is known (price_unavailable). */
export type QuoteOf = (ask: Ask) => Quote | undefined

// A sync elsewhere is seen this much later. Until then a purchase acknowledges the old cost, which
// the registry refuses where it is no longer true.
const fresh_ms = 2_000

type Kept = { book: Promise<PriceBook>; until: number }
const caches = new WeakMap<App, Map<Currency, Kept>>()

/** The prices in one currency, at most two seconds old. */
export function priceBook(app: App, currency: Currency): Promise<PriceBook> {
  const cache = caches.get(app) ?? new Map<Currency, Kept>()
  caches.set(app, cache)
  const kept = cache.get(currency)
  if (kept && kept.until > app.monotonic_ms()) return kept.book
  const book = readBook(app, currency)
  cache.set(currency, { book, until: app.monotonic_ms() + fresh_ms })
  // A failed read is not kept; its waiting callers get its error.
  book.catch(() => cache.delete(currency))
  return book
}

/** The next quote reads the table again. */
export function dropCachedPrices(app: App): void {
  caches.delete(app)
}

async function readBook({ db }: App, currency: Currency): Promise<PriceBook> {
  const book = new Map<string, Map<Action, BookEntry>>()
  for (const row of await db.run(pricesIn, [currency])) {
    const action = wordOf(actions, row.action)
    const ofTld = book.get(row.tld) ?? new Map<Action, BookEntry>()
    const cost_currency = wordOf(currencies, row.cost_currency)
    book.set(row.tld, ofTld.set(action, { ...row, currency, action, cost_currency }))
  }
  return book
}

/**
 * Quotes in one currency, each without a query of its own: `(await openQuotes(app, 'USD'))({action,
 * tld, years, checked})`.
 */
export async function openQuotes(app: App, currency: Currency): Promise<QuoteOf> {
  const book = await priceBook(app, currency)
  return (ask) => {
    const source = app.registries.forTld(ask.tld)
    const prices = book.get(ask.tld) ?? new Map<Action, TldPrice>()
    return source && quote(ask, { currency, source, prices })
  }
}

/** As openQuotes, of registrations. */
export async function quoteRegistration(app: App, currency: Currency) {
  const quoteOf = await openQuotes(app, currency)
  return (ask: Omit<Ask, 'action'>) => quoteOf({ ...ask, action: 'register' })
}
