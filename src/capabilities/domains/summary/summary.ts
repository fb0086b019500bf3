// Counts of an account's domains, the cost of their renewals, and those that wait for a decision.
// Pure.
import { addYears } from '../../../kit/clock.ts'
import { type Currency, currencies } from '../../../kit/money.ts'
import { dueBefore, type Renewable } from '../runway/runway.ts'
import type { Status } from '../schemas.ts'

export const most_tlds = 20
export const most_attention = 10
export const soon_days = 30
const month_count = 13
const day_ms = 86_400_000

/** `operation` is that of an open order; `transfer` is another registrar's request. */
export type Counted = {
  name: string
  status: Status
  auto_renew: boolean
  operation: { type: string; isUnknown: boolean } | null
  transfer: { requested_by: string; acts_at: string } | null
  /** Null while the domain is being bought. */
  renewal: (Renewable & { is_renewable: boolean }) | null
}

export function countBy<T>(items: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of items) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  return counts
}

type Month = { month: string; domains: number; auto_renew: number }

/** The months from that of `now` to the same of the next year (UTC) in which any expires. */
export function monthsOf(all: readonly Counted[], now: Date): Month[] {
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month_count, 1)
  const inRange = all.filter(({ renewal }) => {
    const at = renewal?.expiry.getTime() ?? 0
    return at >= first && at < end
  })
  const monthOf = ({ renewal }: Counted) => renewal?.expiry.toISOString().slice(0, 7) ?? ''
  const renewed = countBy(
    inRange.filter(({ auto_renew }) => auto_renew),
    monthOf,
  )
  return [...countBy(inRange, monthOf)]
    .map(([month, domains]) => ({ month, domains, auto_renew: renewed.get(month) ?? 0 }))
    .sort((a, b) => (a.month < b.month ? -1 : 1))
}

/** The first expiry that is still to come. */
export function firstExpiry(all: readonly Counted[], now: Date): Date | null {
  const later = all.flatMap(({ renewal }) =>
    renewal && renewal.expiry > now ? [renewal.expiry] : [],
  )
  return later.reduce<Date | null>((first, one) => (first && first <= one ? first : one), null)
}

/** Amounts in minor units. */
export type Due = { domains: number; due: bigint; unpriced: number }
export type Cost = Due & { currency: Currency; automatic: Due }

/** The costs in each currency in which a domain is paid. */
export function costsOf(all: readonly Counted[], now: Date): Cost[] {
  const renewable = all.flatMap((one) => (one.renewal?.is_renewable ? [one.renewal] : []))
  const automatic = all.flatMap((one) => (renewsSoon(one, now) && one.renewal ? [one.renewal] : []))
  return currencies.flatMap((currency) => {
    const own = renewable.filter((one) => one.currency === currency)
    if (own.length === 0) return []
    const soon = automatic.filter((one) => one.currency === currency)
    const once = soon.reduce((sum, { price }) => sum + (price ?? 0n), 0n)
    const year = dueBefore(own, addYears(now, 1)).get(currency) ?? 0n
    return [{ currency, ...dueOf(own, year), automatic: dueOf(soon, once) }]
  })
}

function dueOf(renewals: readonly Renewable[], due: bigint): Due {
  const unpriced = renewals.filter(({ price }) => price === null).length
  return { domains: renewals.length, due, unpriced }
}

function isSoon({ renewal }: Counted, now: Date): boolean {
  return renewal !== null && renewal.expiry.getTime() - now.getTime() < soon_days * day_ms
}

function renewsSoon(one: Counted, now: Date): boolean {
  return one.status === 'active' && one.auto_renew && isSoon(one, now)
}

/** The reasons, most urgent first. */
export const reasons = [
  'transfer_requested',
  'redemption',
  'expired',
  'expires_soon',
  'order_unknown',
  'order_open',
] as const
type Reason = (typeof reasons)[number]

/** `at` is when the registry moves it, or when it expires or expired, or null for an order. */
export type Need = { one: Counted; reason: Reason; at: string | null }

/** The needs of the domains, of which each has at most its most urgent one. */
function needOf(one: Counted, now: Date): Need | null {
  const { status, transfer, operation, renewal } = one
  const at = renewal?.expiry.toISOString() ?? null
  if (transfer) return { one, reason: 'transfer_requested', at: transfer.acts_at }
  if (operation)
    return { one, reason: operation.isUnknown ? 'order_unknown' : 'order_open', at: null }
  if (status === 'expired' || status === 'redemption') return { one, reason: status, at }
  const ends = status === 'active' && !one.auto_renew && isSoon(one, now)
  return ends ? { one, reason: 'expires_soon', at } : null
}

export function needsOf(all: readonly Counted[], now: Date): Need[] {
  const rank = ({ reason }: Need) => reasons.indexOf(reason)
  return all
    .flatMap((one) => needOf(one, now) ?? [])
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        (a.at ?? '').localeCompare(b.at ?? '') ||
        (a.one.name < b.one.name ? -1 : 1),
    )
}
