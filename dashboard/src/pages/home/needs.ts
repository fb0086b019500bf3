// "Needs you now": everything in the account that waits for a decision of its owner, most urgent
// first.
import type { DomainListEntry, TldPrice } from 'sdk'
import { shortfallOf, sumOf } from '../../lib/amounts.ts'
import { daysUntil } from '../../lib/format.ts'

const soon_days = 30

export type Need =
  | { kind: 'transfer'; domain: string; name: string; registrar: string; acts_at: string }
  | { kind: 'expired'; domain: string; name: string; isRedemption: boolean }
  | { kind: 'funds'; due: string; count: number; available: string; shortfall: string }
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

/** The top-up that pays all automatic renewals that are due soon; null: none is needed. */
function fundsNeed(domains: readonly DomainListEntry[], { prices, available }: Money) {
  const due = domains.filter(
    ({ status, auto_renew, expires_at }) =>
      status === 'active' && auto_renew && expires_at !== null && daysUntil(expires_at) < soon_days,
  )
  const amounts = due.flatMap(({ domain }) => {
    const price = prices.find(({ tld }) => domain.endsWith(`.${tld}`))
    return price?.renew ?? []
  })
  const sum = sumOf(amounts)
  const shortfall = shortfallOf(sum, available)
  if (shortfall === null) return null
  return { kind: 'funds' as const, due: sum, count: due.length, available, shortfall }
}

type Money = { prices: readonly TldPrice[]; available: string }

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

/** `money` null: not known yet. */
export function needsOf(domains: readonly DomainListEntry[], money: Money | null): Need[] {
  const funds = money && fundsNeed(domains, money)
  const own = domains.flatMap((one) => needOf(one) ?? [])
  return [...(funds ? [funds] : []), ...own].sort(
    (a, b) => ranks[a.kind] - ranks[b.kind] || urgencyOf(a) - urgencyOf(b),
  )
}
