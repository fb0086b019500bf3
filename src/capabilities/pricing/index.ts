// The pricing module: list prices of a TLD, and the quote for one name.
import type { Job, Operation } from '../../app.ts'
import { listTldPrices } from './list-prices.ts'
import { syncPricesJob } from './sync-prices.job.ts'
import { syncTldPrices } from './sync-prices.ts'

export { type Action, actions } from './price.ts'
export { openQuotes, PriceBook, type QuoteOf, quoteRegistration } from './price-book.ts'
export {
  type Ask,
  type PriceBody,
  priceBody,
  type Quote,
  type SeveralYears,
  yearsText,
} from './quote.ts'
export { type SyncReport, syncPrices } from './sync-prices.ts'

export const operations: Operation[] = [listTldPrices, syncTldPrices]
export const jobs: Job[] = [syncPricesJob]
