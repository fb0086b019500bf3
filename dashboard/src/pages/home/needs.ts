// "Needs your attention": the domains that the summary names, and the top-ups that pay for the
// automatic renewals that are due soon.
import type { DomainsSummaryResponse } from 'sdk'
import { shortfallOf } from '../../lib/money/amounts.ts'
import type { Currency } from '../../lib/money/balance-queries.ts'

type DomainNeed = DomainsSummaryResponse['attention']['domains'][number]
type FundsNeed = {
  reason: 'funds'
  currency: Currency
  available: string
  due: string
  count: number
  shortfall: string
}
export type Need = DomainNeed | FundsNeed

type Balance = { currency: Currency; available: string }

/**
 * While `balances` is undefined, it is unknown whether money is missing, and so none is reported.
 */
export function needsOf(
  { costs, attention }: DomainsSummaryResponse,
  balances: readonly Balance[] | undefined,
): Need[] {
  const funds = costs.flatMap(({ currency, automatic }) => {
    const available = balances?.find((one) => one.currency === currency)?.available ?? '0.00'
    const shortfall = balances ? shortfallOf(automatic.due, available) : null
    if (shortfall === null) return []
    const { due, domains: count } = automatic
    return [{ reason: 'funds' as const, currency, available, due, count, shortfall }]
  })
  const isUrgent = ({ reason }: DomainNeed) => !later.includes(reason)
  const urgent = attention.domains.filter(isUrgent)
  return [...urgent, ...funds, ...attention.domains.filter((one) => !isUrgent(one))]
}

/** Reasons that come after missing money; the others can lose a domain and come before it. */
const later: readonly DomainNeed['reason'][] = ['expires_soon', 'order_unknown', 'order_open']
