// The pricing room: what a TLD costs, and the quote for one name.
import type { Job, Operation } from '../../app.ts'
import { listTldPrices } from './list.ts'
import { syncTldPrices } from './sync.ts'
import { syncPricesJob } from './sync-prices.job.ts'

export { openQuotes, type QuoteOf, quoteRegistration } from './book.ts'
export type { Action } from './domain.ts'
export { type Ask, type PriceBody, priceBody, type Quote } from './quote.ts'
export { type SyncReport, syncPrices } from './sync.ts'

export const operations: Operation[] = [listTldPrices, syncTldPrices]
export const jobs: Job[] = [syncPricesJob]
