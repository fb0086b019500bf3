// The price of a purchase: what the registry says now, what we charge, and whether the buyer agreed
// to it.
import type { App, Call } from '../../app.ts'
import { formatAmount } from '../../kit/money.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { priceBody, type Quote, quoteRegistration } from '../pricing/index.ts'
import { checkNow } from './availability.ts'
import * as faults from './faults.ts'
import type { DomainName } from './name.ts'
import type { RegisterOrder } from './order.ts'
import type { RegisterInput } from './register-input.ts'

export type Agreed = { quote: Quote; fee: RegisterOrder['fee'] }
export type Terms = { name: DomainName; input: RegisterInput; maxPrice: bigint | undefined }

/** Asks the registry; throws what stands against buying it at this price. */
export async function agreePrice(app: App, { name, input, maxPrice }: Terms): Promise<Agreed> {
  const checked = await checkNow(app, name)
  if (!checked || checked.unreachable || checked.available === null)
    throw faults.registryUnreachable({ retry_after_s: 5 })
  if (!checked.available) throw faults.domainTaken()
  const quoteOf = await quoteRegistration(app, input.currency)
  const quote = quoteOf({ tld: name.tld, years: input.period_years, checked })
  if (!quote) throw faults.priceUnavailable()
  const price = priceBody(quote)
  if (quote.premium && !input.allow_premium) throw faults.premiumNotAllowed({ facts: { price } })
  if (maxPrice !== undefined && quote.amount > maxPrice)
    throw faults.priceChanged({
      detail: `The price is ${price.amount} ${price.currency}, above your max_price.`,
      facts: { price },
    })
  return { quote, fee: quote.fee }
}

/** The fault of an empty purse, with the figures that the owner needs. */
export function short(quote: Quote, available: bigint) {
  const price = priceBody(quote)
  return faults.insufficientFunds({
    detail:
      `The price is ${price.amount} ${price.currency}, ` +
      `the balance ${formatAmount(available)}.`,
    facts: {
      price,
      balance: formatAmount(available),
      shortfall: formatAmount(quote.amount - available),
      currency: price.currency,
    },
  })
}

/** For a dry run: throws when the balance does not cover the price at this moment. */
export async function refuseShortBalance(call: Call, quote: Quote): Promise<void> {
  const { available } = await readBalance(call.sql, call.customer_id, quote.currency)
  if (available < quote.amount) throw short(quote, available)
}
