// Payments that were stored by the number of a log keep their ids, which the ledger and documents
// name: an observed one is found among them by its transaction, asset and amount, in their order.
import type { CheckoutId, PaymentId } from '../../../../kit/random.ts'

const form = /^eip155:[0-9]+\/0x[0-9a-f]{64}\/([0-9]+)$/

type Facts = {
  id: PaymentId
  checkout_id: CheckoutId
  asset: string
  network: string
  transaction_id: string
  amount: string
}

/** Undefined for another form of id. */
function logNumber(id: string): number | undefined {
  const [, digits] = form.exec(id) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const groupOf = ({ checkout_id, asset, network, transaction_id }: Facts) =>
  [checkout_id, asset, network, transaction_id].join(' ')

/**
 * The observed payments, each by the id under which it is stored. `observed` has all payments of
 * each of its transactions, in the order of the execution. A stored payment that is like none of
 * them was stored twice, or is not shown, and stays as it is. `stored` has all stored payments of
 * these transactions.
 */
export function withFormerIds<T extends Facts>(
  observed: readonly T[],
  stored: readonly Facts[],
): T[] {
  const former = Map.groupBy(
    stored
      .filter(({ id }) => logNumber(id) !== undefined)
      .toSorted((a, b) => (logNumber(a.id) ?? 0) - (logNumber(b.id) ?? 0)),
    groupOf,
  )
  const present = new Set(observed.map(({ id }) => id))
  const known = new Set(stored.map(({ id }) => id))
  return observed.map((payment) => {
    const left = former.get(groupOf(payment)) ?? []
    if (known.has(payment.id) || left.length === 0) return payment
    const at = left.findIndex(({ amount, id }) => amount === payment.amount && !present.has(id))
    const [found] = at < 0 ? [] : left.splice(at, 1)
    return found ? { ...payment, id: found.id } : payment
  })
}
