// The port of exchange rates: the price of a coin in a currency, which is exact and recent. It
// rejects rather than return a stale or doubtful price.
import type { Currency } from '../../kit/money.ts'

/** The price is digits / 10^scale units of the currency for one coin, and more than zero. */
export type Price = { digits: bigint; scale: number; at: Date }

export type Rates = {
  /** Rejects with RatesUnavailable. */
  price: (coin: string, currency: Currency) => Promise<Price>
}

/** There is no reliable price, because it is stale or absent, or its sources deviate. */
export class RatesUnavailable extends Error {
  override name = 'RatesUnavailable'
}
