// The balance that pays, for an account that has several.

import { formatMoney } from '../../lib/format.ts'
import { type Currency, useBalances } from '../../lib/money/balance-queries.ts'
import { paymentTexts as texts } from '../../messages/payment-texts.ts'
import { SelectRow } from '../forms/select.tsx'

type Props = { currency: Currency | undefined; onChange: (currency: Currency) => void }

export function PayFrom({ currency, onChange }: Props) {
  const balances = useBalances().data ?? []
  if (currency === undefined || balances.length < 2) return null
  const options = balances.map(({ currency: value, available }) => ({
    value,
    label: texts.balance(formatMoney(available, value)),
  }))
  return <SelectRow label={texts.payFrom} value={currency} options={options} onChange={onChange} />
}
