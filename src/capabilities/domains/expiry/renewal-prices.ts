// Current prices of a renewal and a restore of domains that we hold.

import type { CheckedName } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import { type Currency, currencies, formatAmount } from '../../../kit/money.ts'
import { wordOf } from '../../../kit/schema.ts'
import { openQuotes, type QuoteOf } from '../../pricing/index.ts'
import { registryOf } from '../names.ts'

/** Decimal amounts with their currency, "10.85 USD", or null if not known at the moment. */
export type KeepingPrices = { renewal: string | null; restore: string | null }
type Named = { name: string; currency: string }

const unknown: KeepingPrices = { renewal: null, restore: null }

/** Asks the registries about many names at once, at the lowest priority. */
export async function keepingPrices(
  app: App,
  domains: readonly Named[],
): Promise<(domain: Named) => KeepingPrices> {
  const checked = new Map<string, CheckedName>()
  const asked = app.registries.all.map(async (registry) => {
    const names = domains.flatMap(({ name }) => (registryOf(app, name) === registry ? [name] : []))
    if (names.length === 0) return
    const options = { priority: 'background', fees: ['renew', 'restore'] } as const
    for (const one of await registry.check(names, options)) checked.set(one.domain, one)
  })
  await Promise.all(asked)
  const quotes = new Map<Currency, QuoteOf>()
  for (const currency of currencies) quotes.set(currency, await openQuotes(app, currency))
  return ({ name, currency }) => {
    const known = checked.get(name)
    const quoteOf = quotes.get(wordOf(currencies, currency))
    if (!known || known.unreachable || !quoteOf) return unknown
    const tld = name.slice(name.indexOf('.') + 1)
    const price = (action: 'renew' | 'restore') => {
      const quote = quoteOf({ action, tld, years: 1, checked: known })
      return quote ? `${formatAmount(quote.amount)} ${quote.currency}` : null
    }
    return { renewal: price('renew'), restore: price('restore') }
  }
}
