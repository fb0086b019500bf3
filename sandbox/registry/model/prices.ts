// The prices of paid actions at a registry, for a name and a number of years.
import { Refused } from '../protocol/reply.ts'
import { premiumPrice, splitName } from './names.ts'
import type { Registry } from './registry.ts'

export type Paid = 'create' | 'renew' | 'transfer' | 'restore'

/** The price of an action in cents, for all its years, and whether the name is premium. */
export function priceOf(
  { profile, settings }: Pick<Registry, 'profile' | 'settings'>,
  name: string,
  action: { kind: Paid; years: number },
): { cents: number; premium: boolean } {
  const parts = splitName(name)
  const prices = parts === null ? undefined : profile.prices[parts.tld]
  if (parts === null || prices === undefined) throw new Refused(2306, `${name} is not sold here`)
  const premium = premiumPrice(parts.label)
  if (action.kind === 'restore') return { cents: prices.restore, premium: premium !== null }
  const further = premium ?? prices.renew
  const first = premium ?? prices[action.kind]
  const cents = first + (action.years - 1) * further
  const share = action.years > 1 ? settings.several_years_percent / 100 : 1
  return { cents: Math.round(cents * share), premium: premium !== null }
}
