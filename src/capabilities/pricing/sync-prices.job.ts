// Keeps the price list true: once a day, as registries announce changes weeks ahead.
import { job } from '../../app.ts'
import { syncPrices } from './sync.ts'

export const syncPricesJob = job({
  name: 'sync_tld_prices',
  does: 'Reads what each registry charges, and renews the price list by it.',
  every_ms: 86_400_000,
  async run(app, call) {
    await syncPrices(app, call)
    return { more: false }
  },
})
