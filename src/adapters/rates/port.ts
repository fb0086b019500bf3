// The port of exchange rates: the price of a coin in a currency, exact and recent, or a rejection;
// never a stale or a doubtful one.
import type { Currency } from '../../kit/money.ts'

/** digits / 10^scale units of the currency for one coin; more than zero. */
export type Price = { digits: bigint; scale: number; at: Date }

export type Rates = {
  /** Rejects with RatesUnavailable. */
  price: (coin: string, currency: Currency) => Promise<Price>
}

/** No price that may be relied on: stale, absent, or its sources deviate. */
export class RatesUnavailable extends Error {
  override name = 'RatesUnavailable'
}
