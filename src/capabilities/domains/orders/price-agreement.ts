// The price of a purchase: what the registry says now, what we charge, and whether the buyer agreed
// to it.
import type { App, Call } from '../../../app.ts'
import { formatAmount } from '../../../kit/money.ts'
import { readBalance } from '../../../ledger/ledger.ts'
import { priceBody, type Quote, quoteRegistration } from '../../pricing/index.ts'
import { checkNow } from '../availability.ts'
import type { DomainName } from '../domain-name.ts'
import * as faults from '../faults.ts'
import type { RegisterInput } from '../operations/register-input.ts'

export type Agreed = { quote: Quote; fee: Quote['fee'] }
export type Terms = { name: DomainName; input: RegisterInput; maxPrice: bigint | undefined }

/** Asks the registry; throws what stands against buying it at this price. */
export async function agreePrice(app: App, { name, input, maxPrice }: Terms): Promise<Agreed> {
  const checked = await checkNow(app, name, ['create', 'renew'])
  if (!checked.available) throw faults.domainTaken()
  const quoteOf = await quoteRegistration(app, input.currency)
  const quote = quoteOf({ tld: name.tld, years: input.period_years, checked })
  if (!quote) throw faults.priceUnavailable()
  refusePremium(quote, input)
  refuseAbove(quote, maxPrice)
  return { quote, fee: quote.fee }
}

/** 409 premium_not_allowed, with the price. */
export function refusePremium(quote: Quote, { allow_premium }: { allow_premium: boolean }): void {
  if (quote.premium && !allow_premium)
    throw faults.premiumNotAllowed({ facts: { price: priceBody(quote) } })
}

/** 409 price_changed, with the price, when it is above what the buyer named. */
export function refuseAbove(quote: Quote, maxPrice: bigint | undefined): void {
  if (maxPrice === undefined || quote.amount <= maxPrice) return
  const price = priceBody(quote)
  throw faults.priceChanged({
    detail: `The price is ${price.amount} ${price.currency}, above your max_price.`,
    facts: { price },
  })
}

/** 409 period_not_allowed where the registry does not sell so many years at once. */
export function refuseOddPeriod(app: App, tld: string, years: number): void {
  const periods = app.registries.forTld(tld)?.registry.profile.periods ?? { min: 1, max: 10 }
  if (years >= periods.min && years <= periods.max) return
  throw faults.periodNotAllowed({
    detail: `The registry of .${tld} sells ${periods.min} to ${periods.max} years at once.`,
    facts: { periods },
  })
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
