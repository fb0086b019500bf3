// Periodic refresh of the price list: each TLD once a day, as registries announce changes weeks
// ahead. TLDs whose prices could not be read, or never were, are tried every minute.
import { job } from '../../app.ts'
import { stalePrices } from './prices.sql.ts'
import { syncPrices } from './sync-prices.ts'

const fresh_ms = 86_400_000

export const syncPricesJob = job({
  name: 'sync_tld_prices',
  does: 'Reads the prices of each registry daily; those that could not be read, every minute.',
  every_ms: 60_000,
  async run(app, call) {
    const sold = app.registries.all.flatMap(({ profile }) => {
      return profile.tlds.map((tld) => ({ tld, registry: profile.name }))
    })
    const since = new Date(app.clock.now().getTime() - fresh_ms)
    const tlds = sold.map(({ tld }) => tld)
    const registries = sold.map(({ registry }) => registry)
    const stale = await app.db.run(stalePrices, { tlds, registries, since })
    if (stale.length > 0) await syncPrices(app, call, new Set(stale.map(({ tld }) => tld)))
    return { more: false }
  },
})
