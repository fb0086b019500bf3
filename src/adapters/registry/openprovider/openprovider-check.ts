// Availability and prices at Openprovider: a check has the price of a registration, and a price
// request has all others.

import { comparable } from '../../../epp/replies/reply.ts'
import type { DomainName } from '../../../kit/random.ts'
import { checkInParts, reasonOf, unreachableName, verbsOf } from '../availability-check.ts'
import {
  type CheckedName,
  type CheckOptions,
  type FeeVerb,
  feeVerbs,
  type Outcome,
  type Prices,
  type Priority,
} from '../port.ts'
import { type Probed, probePrices } from '../price-probe.ts'
import {
  amountOf,
  answers,
  type CheckedDomain,
  decimalOf,
  partsOf,
} from './openprovider-answers.ts'
import { type Link, mapDone } from './openprovider-connection.ts'

type Price = { amount: string | null; premium: boolean }
type Wanted = { operation: FeeVerb; period_years?: number }

/** Our current price for an operation on a name; `amount` is null if it is not in our currency. */
export async function priceOf(
  link: Link,
  domain: DomainName,
  { operation, period_years = 1, priority }: Wanted & { priority: Priority },
): Promise<Outcome<Price>> {
  const { name, extension } = partsOf(domain)
  const query = {
    'domain.name': name,
    'domain.extension': extension,
    operation,
    period: period_years,
  }
  const call = { method: 'GET' as const, path: '/domains/prices', query, repeat: true }
  return mapDone(await link.send(call, answers.price, { priority }), (found) => ({
    amount: amountOf(found.price, link.profile.currency),
    premium: found.is_premium ?? false,
  }))
}

/**
 * `active` is all that the API says about names that are not available; the reason may say more.
 */
function read(link: Link, domain: DomainName, found: CheckedDomain | undefined): CheckedName {
  if (found?.status !== 'free' && found?.status !== 'active') return unreachableName(domain)
  const available = found.status === 'free'
  const { currency } = link.profile
  const quoted = found.premium?.price?.create
  const premium = found.is_premium ? (quoted ?? null) : null
  const asPremium =
    premium === null || found.premium?.currency !== currency ? null : decimalOf(premium)
  const create = amountOf(found.price, currency) ?? asPremium
  return {
    domain,
    available,
    reason: available ? null : (reasonOf(found.reason ?? null) ?? 'registered'),
    premium: found.is_premium ?? false,
    fees: create === null ? null : { currency, create, renew: null, transfer: null, restore: null },
    unreachable: false,
    refused: null,
  }
}

/**
 * The other prices of a plain name are those of its TLD, so only a list of verbs, or a premium
 * name, needs a request. The check itself has the price of one year.
 */
async function withFees(
  link: Link,
  checked: CheckedName,
  { fees, priority, period_years = 1 }: CheckOptions,
): Promise<CheckedName> {
  const verbs = verbsOf({ fees })
  if (verbs.length === 0 || checked.unreachable) return { ...checked, fees: null }
  const asked = verbs.filter(
    (verb) =>
      (verb !== 'create' || period_years > 1) && (typeof fees !== 'boolean' || checked.premium),
  )
  const { currency } = link.profile
  const none = { currency, create: null, renew: null, transfer: null, restore: null }
  const found = {
    ...none,
    create: verbs.includes('create') ? (checked.fees?.create ?? null) : null,
  }
  const prices = await Promise.all(
    asked.map(async (operation): Promise<[FeeVerb, string | null]> => {
      const price = await priceOf(link, checked.domain, { operation, period_years, priority })
      return [operation, price.kind === 'done' ? price.value.amount : null]
    }),
  )
  const all = { ...found, ...Object.fromEntries(prices) }
  return { ...checked, fees: feeVerbs.some((verb) => all[verb] !== null) ? all : null }
}

export function check(link: Link, names: string[], options: CheckOptions): Promise<CheckedName[]> {
  return checkInParts(names, link.profile.names_per_check, async (part) => {
    const body = { domains: part.map(partsOf), with_price: verbsOf(options).length > 0 }
    const call = { method: 'POST' as const, path: '/domains/check', body, repeat: true }
    const outcome = await link.send(call, answers.checked, { priority: options.priority })
    if (outcome.kind !== 'done') return outcome
    const found = new Map((outcome.value.results ?? []).map((one) => [comparable(one.domain), one]))
    const names = part.map((name) => read(link, name, found.get(comparable(name))))
    const value = await Promise.all(names.map((name) => withFees(link, name, options)))
    return { ...outcome, value }
  })
}

/** Checks an unregistered name in each TLD. */
export async function prices(link: Link, tlds: string[]): Promise<Map<string, Prices>> {
  const { profile, parts } = link
  const found = await probePrices(tlds, { profile }, (names) =>
    Promise.all(names.map((name) => probed(link, name))),
  )
  for (const tld of tlds)
    if (!found.has(tld))
      parts.log.warn({ registry: profile.name, tld }, 'no standard price for a TLD')
  return found
}

async function probed(link: Link, name: string): Promise<Probed> {
  const prices = await Promise.all(
    feeVerbs.map((operation) => priceOf(link, name, { operation, priority: 'background' })),
  )
  if (prices.some(({ kind }) => kind !== 'done' && kind !== 'refused')) return 'unreachable'
  const [create, renew, transfer, restore] = prices.map((price) =>
    price.kind === 'done' && !price.value.premium ? price.value.amount : null,
  )
  if (!create || !renew || !transfer || !restore) return 'refused'
  return { currency: link.profile.currency, create, renew, transfer, restore }
}
