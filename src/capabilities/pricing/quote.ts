// A quote: the customer's price of one action on one name, and the fee that we acknowledge to its
// registry (RFC 8748). Pure.
import type { CheckedName, Registry, RegistryFee } from '../../adapters/registry/port.ts'
import type { TldTerms } from '../../adapters/registry/registries.ts'
import { basisPoints, type Currency, formatAmount, parseDecimal } from '../../kit/money.ts'
import { type Action, convert, priceOf, type TldPrice, verbOf } from './price.ts'

/** The registry's fee of so many years at once, which may be no sum of single years (RFC 8748). */
export type SeveralYears = { years: number; amount: string; currency: string }
/** The registry's fresh answer about the name itself. */
type CheckedPrice = Pick<CheckedName, 'premium' | 'fees'> & { several?: SeveralYears }

export type Ask = {
  action: Action
  tld: string
  /** The total number of years, 1 to 10. It is ignored for a restore. */
  years: number
  /** Null if the registry was not asked, so that the name counts as a standard one. */
  checked: CheckedPrice | null
}

type QuoteItem = { description: string; amount: bigint }
export type Quote = {
  currency: Currency
  /** The price of the whole request in minor units, which is the sum of the items. */
  amount: bigint
  /** The price of one further year, at today's prices. */
  renewal_amount: bigint
  /**
   * Whether it costs more than the standard price of its TLD, by the registry's class or by a fee
   * above the one in our table.
   */
  premium: boolean
  items: QuoteItem[]
  /** The registry's charge for the whole request. */
  cost: { currency: Currency; amount: bigint }
  /** The cost as a command acknowledges it, or null if the registry has no fee extension. */
  fee: RegistryFee | null
}

/**
 * The basis of a quote: the TLD's registry and terms, and the table's prices of its actions in the
 * currency.
 */
export type Basis = {
  currency: Currency
  source: { registry: Pick<Registry, 'profile'>; terms: TldTerms }
  prices: ReadonlyMap<Action, TldPrice>
}

/** Cost (the registry's currency) and price (the quote's) of one year, or of one restore. */
type Unit = { cost: bigint; price: bigint; above: boolean }

/**
 * The quote, or undefined when any price that it needs is unknown: the table lacks it or has it
 * from another registry, a premium name's fee was not reported, a fee is in a foreign currency or
 * not exact. Never zero.
 */
export function quote(ask: Ask, basis: Basis): Quote | undefined {
  const { currency, source } = basis
  const first = unitOf(ask.action, ask.checked, basis)
  const further = unitOf('renew', ask.checked, basis)
  const years = ask.action === 'restore' ? 1 : ask.years
  if (!first || !further || !Number.isInteger(years) || years < 1 || years > 10) return undefined
  const more = BigInt(years - 1)
  const premium = ask.checked?.premium === true || first.above || further.above
  const single = {
    cost: first.cost + more * further.cost,
    price: first.price + more * further.price,
  }
  const whole = ofSeveral({ ask, years, single, further }, basis)
  if (!whole) return undefined
  const { cost, price: amount } = whole
  const { transfer } = source.registry.profile
  const added = ask.action === 'transfer' ? transfer.years : years
  const parts = { years, added, premium, first: first.price, further: further.price, amount }
  return {
    currency,
    amount,
    renewal_amount: further.price,
    premium,
    items: itemsOf(ask.action, parts),
    cost: { currency: source.terms.currency, amount: cost },
    fee: source.registry.profile.fee
      ? { currency: source.terms.currency, amount: formatAmount(cost) }
      : null,
  }
}

type Several = { ask: Ask; years: number; single: Pick<Unit, 'cost' | 'price'>; further: Unit }

/**
 * The price of several years at once, by the fee that the registry reported for them, plus a single
 * year for each that it has renewed itself. A higher fee than that of single years is passed on
 * with its margin; a lower one leaves the listed price, except for a premium name. Undefined if the
 * fee is in a foreign currency, or is not exact.
 */
function ofSeveral(
  { ask: { checked }, years, single, further }: Several,
  { source: { terms }, currency }: Basis,
): Pick<Unit, 'cost' | 'price'> | undefined {
  const { several } = checked ?? {}
  if (!several || several.years > years) return single
  const amount = several.currency === terms.currency ? parseDecimal(several.amount) : undefined
  const rate = terms.rates.get(currency)
  if (amount === undefined || rate === undefined) return undefined
  const cost = amount + BigInt(years - several.years) * further.cost
  const more = cost - single.cost
  if (more === 0n || (more < 0n && !checked?.premium)) return { cost, price: single.price }
  const size = more < 0n ? -more : more
  const change = convert(size + basisPoints(size, terms.margin.basis_points), rate)
  const price = more < 0n ? single.price - change : single.price + change
  return price > 0n ? { cost, price } : undefined
}

/**
 * One year of an action. The registry will charge the fee that it reported of this name.
 * It makes the price when the name is premium or the fee is above the table's cost; a lower fee
 * leaves the table's price.
 */
function unitOf(action: Action, checked: CheckedPrice | null, basis: Basis): Unit | undefined {
  const { source, currency } = basis
  const { terms, registry } = source
  const row = basis.prices.get(action)
  const ours = row?.registry === registry.profile.name && row.cost_currency === terms.currency
  const standard = ours ? { cost: row.cost, price: row.price, above: false } : undefined
  const reported = checked?.fees?.[verbOf[action]] ?? null
  if (reported === null) return checked?.premium ? undefined : standard
  const cost = checked?.fees?.currency === terms.currency ? parseDecimal(reported) : undefined
  if (cost === undefined) return undefined
  if (!checked?.premium && standard && cost <= standard.cost) return { ...standard, cost }
  const price = priceOf(cost, terms, currency)
  if (price === undefined) return undefined
  if (checked?.premium || !standard) return { cost, price, above: false }
  // The table's price may be the higher one where the file counts a year as costing more than the
  // registry reported.
  return price < standard.price ? { ...standard, cost, above: true } : { cost, price, above: true }
}

const words = {
  register: 'Registration',
  renew: 'Renewal',
  transfer: 'Transfer',
  restore: 'Restore',
} as const satisfies Record<Action, string>

/** "1 year", "3 years". */
export function yearsText(years: number): string {
  return `${years} ${years === 1 ? 'year' : 'years'}`
}

type Parts = {
  years: number
  /** The years that it adds; a transfer may add none. */
  added: number
  premium: boolean
  first: bigint
  further: bigint
  amount: bigint
}

function itemsOf(action: Action, parts: Parts): QuoteItem[] {
  const { years, added, premium, first, further, amount } = parts
  const grade = premium ? ' at a premium price' : ''
  if (action === 'restore' || added === 0)
    return [{ description: `${words[action]}${grade}`, amount }]
  const rest = BigInt(years - 1) * further
  if (action === 'renew' || years === 1 || first + rest !== amount)
    return [{ description: `${words[action]}${grade}, ${yearsText(added)}`, amount }]
  return [
    { description: `${words[action]}${grade}, first year`, amount: first },
    { description: `Renewal${grade}, ${yearsText(years - 1)} more`, amount: rest },
  ]
}

/** The price in responses: decimal strings. */
export type PriceBody = {
  currency: Currency
  amount: string
  renewal_amount: string
  premium: boolean
  items: { description: string; amount: string }[]
}

/** The quote as callers see it; what the registry charges us is not part of it. */
export function priceBody({ currency, amount, renewal_amount, premium, items }: Quote): PriceBody {
  return {
    currency,
    amount: formatAmount(amount),
    renewal_amount: formatAmount(renewal_amount),
    premium,
    items: items.map((item) => ({ ...item, amount: formatAmount(item.amount) })),
  }
}
