// The reversals that a payment lacks, given its refunds and disputes as they are now; pure. The
// customer loses the sum of the withdrawn ones, and never more than was paid, in whatever order
// their events came.
import type { Currency } from '../../../kit/money.ts'

/** A refund or a dispute. */
export type Movement = {
  id: string
  kind: 'refund' | 'dispute'
  amount: bigint
  currency: Currency | null
  /**
   * `here`: no money has gone, or it came back. `unknown`: this version does not know the
   * processor's status.
   */
  funds: 'withdrawn' | 'here' | 'unknown'
}
export type Posting = {
  /** The payment_id of the reversal. */
  id: string
  kind: 'refund' | 'dispute' | 'reinstatement'
  amount: bigint
  /** The id of the refund or dispute. */
  movement: string
}
type Known = {
  currency: string
  amount: bigint
  /** Below zero if it is given again. */
  reversals: readonly { id: string; taken: bigint }[]
  /** The oldest come first. */
  movements: readonly Movement[]
}
type Plan = {
  /** Reinstatements first, so that each fits the payment when its turn comes. */
  postings: Posting[]
  /**
   * The amount that was withdrawn beyond the payment or in another currency; or was taken and
   * cannot be given again; or was perhaps withdrawn and not taken.
   */
  parked: bigint
}

const prefix = 'processor/'
const least = (a: bigint, b: bigint) => (a < b ? a : b)
const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((all, one) => all + one, 0n)

export function planReversals({ currency, amount, reversals, movements }: Known): Plan {
  const taken = new Map(movements.map(({ id }) => [id, { total: 0n, times: 0 }]))
  for (const reversal of reversals) {
    const [, movement = ''] = reversal.id.startsWith(prefix) ? reversal.id.split('/') : []
    const known = taken.get(movement)
    if (!known) continue
    known.total += reversal.taken
    known.times += 1
  }
  let reversed = sum(reversals.map((one) => one.taken))
  let parked = 0n
  const postings: Posting[] = []
  const post = ({ id: movement }: Movement, kind: Posting['kind'], part: bigint) => {
    if (part === 0n) return
    const times = taken.get(movement)?.times ?? 0
    const id = times === 0 ? `${prefix}${movement}` : `${prefix}${movement}/${times + 1}`
    postings.push({ id, kind, amount: part, movement })
    reversed += kind === 'reinstatement' ? -part : part
  }
  for (const movement of movements) {
    const total = taken.get(movement.id)?.total ?? 0n
    if (movement.funds !== 'here' || total === 0n) continue
    const part = least(total, reversed)
    post(movement, 'reinstatement', part)
    parked += total - part
  }
  for (const movement of movements) {
    if (movement.funds === 'here') continue
    const missing = movement.amount - (taken.get(movement.id)?.total ?? 0n)
    if (movement.funds === 'unknown') {
      parked += missing
      continue
    }
    const part = movement.currency === currency ? least(missing, amount - reversed) : 0n
    post(movement, movement.kind, part)
    parked += missing - part
  }
  return { postings, parked }
}
