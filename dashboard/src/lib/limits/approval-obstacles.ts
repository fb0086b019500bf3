// Obstacles to approving a purchase at this moment: the limits of the key or app that asked, of
// those that it was made with, and the balance. The service would refuse the purchase, and the
// request would end.
import { shortfallOf, sumOf } from '../money/amounts.ts'
import type { Limits, SpendLimit } from './limit-draft.ts'

type Amount = { amount: string; currency: string }

/** A key or an app whose limits hold. */
export type Holder = { of: 'api_key' | 'app'; id: string; name: string; limits: LimitsOfMoney }
type LimitsOfMoney = Pick<Limits, 'spend_limit' | 'max_price'>

export type ApprovalObstacle =
  | { kind: 'spend'; holder: Holder; limit: SpendLimit }
  | { kind: 'price'; holder: Holder; most: Amount }
  | { kind: 'currency'; holder: Holder; currency: string }
  | { kind: 'balance'; available: string; missing: Amount }

type Asked = {
  /** The prices of one purchase, or of several by one key or app, in one currency. */
  prices: readonly Amount[]
  holders: readonly Holder[]
  /** The available balance in the currency of the prices; undefined while it is unknown. */
  available: string | undefined
}

/** The first obstacle, or null if the purchase can be approved. */
export function approvalObstacle({ prices, holders, available }: Asked): ApprovalObstacle | null {
  const [first] = prices
  if (first === undefined) return null
  const sum = sumOf(prices.map(({ amount }) => amount))
  for (const holder of holders) {
    const found = limitObstacle(holder, prices, sum)
    if (found !== null) return found
  }
  const missing = available === undefined ? null : shortfallOf(sum, available)
  if (available === undefined || missing === null) return null
  return { kind: 'balance', available, missing: { amount: missing, currency: first.currency } }
}

function limitObstacle(
  holder: Holder,
  prices: readonly Amount[],
  sum: string,
): ApprovalObstacle | null {
  const { spend_limit, max_price } = holder.limits
  for (const limit of [spend_limit, max_price])
    if (limit && prices.some(({ currency }) => currency !== limit.currency))
      return { kind: 'currency', holder, currency: limit.currency }
  if (max_price && prices.some(({ amount }) => shortfallOf(amount, max_price.amount) !== null))
    return { kind: 'price', holder, most: max_price }
  if (spend_limit && shortfallOf(sum, spend_limit.left) !== null)
    return { kind: 'spend', holder, limit: spend_limit }
  return null
}
