// "Needs your attention": everything in the account that waits for a decision of its owner, most
// urgent first.
import type { DomainListEntry, TldPrice } from 'sdk'
import { daysUntil } from '../../lib/format.ts'
import { shortfallOf, sumOf } from '../../lib/money/amounts.ts'
import type { Currency } from '../../lib/money/balance-queries.ts'

const soon_days = 30

export type Need =
  | { kind: 'transfer'; domain: string; name: string; registrar: string; acts_at: string }
  | { kind: 'expired'; domain: string; name: string; isRedemption: boolean }
  | ({ kind: 'funds'; due: string; count: number; shortfall: string } & Balance)
  | { kind: 'expiry'; domain: string; name: string; expires_at: string }
  | { kind: 'order'; domain: string; name: string; type: OrderType; isUnknown: boolean }

type OrderType = NonNullable<DomainListEntry['operation']>['type']

/** The domain's own; at most one, the most urgent. */
function needOf(entry: DomainListEntry): Need | null {
  const { domain, domain_unicode: name, status, transfer, operation, expires_at } = entry
  if (transfer) {
    const { requested_by: registrar, acts_at } = transfer
    return { kind: 'transfer', domain, name, registrar, acts_at }
  }
  if (operation?.state === 'pending' || operation?.state === 'unknown')
    return {
      kind: 'order',
      domain,
      name,
      type: operation.type,
      isUnknown: operation.state === 'unknown',
    }
  if (status === 'expired' || status === 'redemption')
    return { kind: 'expired', domain, name, isRedemption: status === 'redemption' }
  const isSoon = expires_at !== null && daysUntil(expires_at) < soon_days
  return status === 'active' && isSoon && !entry.auto_renew
    ? { kind: 'expiry', domain, name, expires_at }
    : null
}

type Balance = { currency: Currency; available: string }

export type RenewalFunds = {
  balances: readonly Balance[]
  prices: readonly TldPrice[]
  /** The currency that a renewal of the domain is paid in. */
  currencyOf: (domain: string) => Currency | undefined
}

/** The top-ups that pay all automatic renewals that are due soon. */
function fundsNeeds(domains: readonly DomainListEntry[], funds: RenewalFunds): Need[] {
  const due = dueSoon(domains)
  return funds.balances.flatMap(({ currency, available }) => {
    const own = due.filter(({ domain }) => funds.currencyOf(domain) === currency)
    const sum = sumOf(own.flatMap(({ domain }) => renewalPrice(domain, currency, funds) ?? []))
    const shortfall = shortfallOf(sum, available)
    const need = { kind: 'funds' as const, currency, available, due: sum, count: own.length }
    return shortfall === null ? [] : [{ ...need, shortfall }]
  })
}

export function dueSoon(domains: readonly DomainListEntry[]): DomainListEntry[] {
  return domains.filter(
    ({ status, auto_renew, expires_at }) =>
      status === 'active' && auto_renew && expires_at !== null && daysUntil(expires_at) < soon_days,
  )
}

function renewalPrice(domain: string, currency: Currency, { prices }: RenewalFunds) {
  const own = prices.filter((price) => price.currency === currency)
  return own.find(({ tld }) => domain.endsWith(`.${tld}`))?.renew
}

const ranks: Record<Need['kind'], number> = {
  transfer: 0,
  expired: 1,
  funds: 2,
  expiry: 3,
  order: 4,
}

function urgencyOf(need: Need): number {
  return need.kind === 'expiry' ? daysUntil(need.expires_at) : 0
}

/** `funds` undefined: not known yet. */
export function needsOf(domains: readonly DomainListEntry[], funds?: RenewalFunds): Need[] {
  const missing = funds ? fundsNeeds(domains, funds) : []
  const own = domains.flatMap((one) => needOf(one) ?? [])
  return [...missing, ...own].sort(
    (a, b) => ranks[a.kind] - ranks[b.kind] || urgencyOf(a) - urgencyOf(b),
  )
}
