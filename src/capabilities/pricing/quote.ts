// A quote, pure: what one action on one name costs the customer, and what we acknowledge to its
// registry (RFC 8748).

import type { CheckedName, Registry, RegistryFee } from '../../adapters/registry/port.ts'
import type { TldTerms } from '../../adapters/registry/registries.ts'
import { type Currency, formatAmount } from '../../kit/money.ts'
import { type Action, parseFee, priceOf, type TldPrice, verbOf } from './price.ts'

/** What the registry said of the name itself just now. */
type CheckedPrice = Pick<CheckedName, 'premium' | 'fees'>

export type Ask = {
  action: Action
  tld: string
  /** In all, 1 to 10; a restore is one restore, whatever this says. */
  years: number
  /** null: the registry was not asked, so the name counts as a standard one. */
  checked: CheckedPrice | null
}

type QuoteItem = { description: string; amount: bigint }
export type Quote = {
  currency: Currency
  /** Minor units for the whole ask; the sum of the items. */
  amount: bigint
  /** One further year, at today's prices. */
  renewal_amount: bigint
  /**
   * Above the standard price of its TLD: by the registry's class, or by a fee above the one in our
   * table.
   */
  premium: boolean
  items: QuoteItem[]
  /** What the registry will charge for the whole ask. */
  cost: { currency: Currency; amount: bigint }
  /** The cost as a command acknowledges it; null where the registry does not speak of fees. */
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
  const cost = first.cost + more * further.cost
  return {
    currency,
    amount: first.price + more * further.price,
    renewal_amount: further.price,
    premium,
    items: itemsOf(ask.action, { years, premium, first: first.price, further: further.price }),
    cost: { currency: source.terms.currency, amount: cost },
    fee: source.registry.profile.fee
      ? { currency: source.terms.currency, amount: formatAmount(cost) }
      : null,
  }
}

/**
 * One year of an action. A fee that the registry reported of this name is what it will charge. It
 * makes the price when the name is premium or the fee is above the table's cost; a lower fee leaves
 * the table's price.
 */
function unitOf(action: Action, checked: CheckedPrice | null, basis: Basis): Unit | undefined {
  const { source, currency } = basis
  const { terms, registry } = source
  const row = basis.prices.get(action)
  const ours = row?.registry === registry.profile.name && row.cost_currency === terms.currency
  const standard = ours ? { cost: row.cost, price: row.price, above: false } : undefined
  const reported = checked?.fees?.[verbOf[action]] ?? null
  if (reported === null) return checked?.premium ? undefined : standard
  const cost = checked?.fees?.currency === terms.currency ? parseFee(reported) : undefined
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

const yearsText = (years: number) => (years === 1 ? '1 year' : `${years} years`)

type Parts = { years: number; premium: boolean; first: bigint; further: bigint }

function itemsOf(action: Action, { years, premium, first, further }: Parts): QuoteItem[] {
  const grade = premium ? ' at a premium price' : ''
  if (action === 'restore') return [{ description: `Restore${grade}`, amount: first }]
  if (action === 'renew' || years === 1) {
    const description = `${words[action]}${grade}, ${yearsText(years)}`
    return [{ description, amount: BigInt(years) * first }]
  }
  const rest = BigInt(years - 1) * further
  return [
    { description: `${words[action]}${grade}, first year`, amount: first },
    { description: `Renewal${grade}, ${yearsText(years - 1)} more`, amount: rest },
  ]
}

/** How a price looks on the wire: decimal strings. */
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
