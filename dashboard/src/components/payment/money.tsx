// An amount in its currency.
import { formatMoney } from '../../lib/format.ts'

export function Money({ amount, currency }: { amount: string; currency: string }) {
  return <span className="tabular-nums">{formatMoney(amount, currency)}</span>
}
