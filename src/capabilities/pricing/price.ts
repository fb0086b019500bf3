// Price calculation, pure: from the charge of a registry to our price, in exact integers. Nothing
// here reaches outside.

import type { FeeVerb, Prices } from '../../adapters/registry/port.ts'
import type { TldTerms } from '../../adapters/registry/registries.ts'
import { basisPoints, type Currency, parseDecimal } from '../../kit/money.ts'

/** The paid operations, by their public names; a registry's name for register is `create`. */
export const actions = ['register', 'renew', 'transfer', 'restore'] as const
export type Action = (typeof actions)[number]

export const verbOf = {
  register: 'create',
  renew: 'renew',
  transfer: 'transfer',
  restore: 'restore',
} as const satisfies Record<Action, FeeVerb>

/**
 * One action of one TLD in one currency: `cost` in the registry's currency, `price` in `currency`.
 */
export type TldPrice = {
  currency: Currency
  tld: string
  action: Action
  registry: string
  cost_currency: Currency
  cost: bigint
  price: bigint
}

/**
 * The price of one year at this cost: the cost, its margin (rounded half up) and the fixed sum,
 * both in the registry's currency; then that price in `currency`, rounded half up. Undefined if we
 * do not sell in that currency, or if the price would be zero.
 */
export function priceOf(cost: bigint, terms: TldTerms, currency: Currency): bigint | undefined {
  const rate = terms.rates.get(currency)
  if (rate === undefined) return undefined
  const { basis_points, fixed } = terms.margin
  const price = convert(cost + basisPoints(cost, basis_points) + fixed, rate)
  return price > 0n ? price : undefined
}

const millionth = 1_000_000n

/** An amount times a rate in millionths, rounded half up. Both are zero or more. */
export function convert(amount: bigint, rate: bigint): bigint {
  return (amount * rate + millionth / 2n) / millionth
}

/** The result of a sync for one TLD: its prices, and why some are missing. */
type Priced = { prices: TldPrice[]; missing: string[] }

/**
 * The prices of a TLD. A price in the file takes precedence over the one that the registry
 * reported; the fee acknowledged to the registry (`cost`) is always its own figure where it
 * reported one.
 */
export function priceTld(
  tld: string,
  from: { registry: string; terms: TldTerms; reported: Prices | undefined },
): Priced {
  const { registry, terms, reported } = from
  const foreign = reported !== undefined && reported.currency !== terms.currency
  if (foreign)
    return {
      prices: [],
      missing: [`the registry reported ${reported.currency}, not ${terms.currency}`],
    }
  const prices: TldPrice[] = []
  const missing: string[] = []
  for (const action of actions) {
    const verb = verbOf[action]
    const fee = reported && parseDecimal(reported[verb])
    const cost = fee ?? terms.costs[verb]
    if (cost === undefined) {
      const problem = reported
        ? `"${reported[verb]}" is not an amount`
        : 'the registry reported none'
      missing.push(`${action}: ${problem}`)
      continue
    }
    for (const currency of terms.rates.keys()) {
      const price = priceOf(terms.costs[verb] ?? cost, terms, currency)
      if (price === undefined) missing.push(`${action}: would be free in ${currency}`)
      else
        prices.push({ currency, tld, action, registry, cost_currency: terms.currency, cost, price })
    }
  }
  return { prices, missing }
}

/** A price that a sync has changed. */
type Change = Pick<TldPrice, 'tld' | 'action' | 'currency'> & { old: bigint; new: bigint }
export type Comparison = { added: TldPrice[]; changed: Change[]; unchanged: number }

type Known = { currency: string; tld: string; action: string; price: bigint }

const keyOf = ({ currency, tld, action }: Known) => `${currency} ${tld} ${action}`

/** New prices, changed prices, and the number of unchanged ones. */
export function compare(known: readonly Known[], found: readonly TldPrice[]): Comparison {
  const before = new Map(known.map((price) => [keyOf(price), price.price]))
  const comparison: Comparison = { added: [], changed: [], unchanged: 0 }
  for (const one of found) {
    const old = before.get(keyOf(one))
    const { tld, action, currency } = one
    if (old === undefined) comparison.added.push(one)
    else if (old === one.price) comparison.unchanged += 1
    else comparison.changed.push({ tld, action, currency, old, new: one.price })
  }
  return comparison
}
