// Missing funds: the required and the available amount, the other balances, and the ways to add
// money.
import { Link } from 'wouter'
import { formatMoney } from '../../lib/format.ts'
import { isZero } from '../../lib/money/amounts.ts'
import { type Currency, useBalances } from '../../lib/money/balance-queries.ts'
import { topUpPath } from '../../lib/money/top-up-paths.ts'
import { useIsSandbox } from '../../lib/sign-in/service-facts.ts'
import { paymentTexts } from '../../messages/payment-texts.ts'
import { buttonClass } from '../button.tsx'
import { TopUpForm } from './top-up-form.tsx'

const texts = paymentTexts.missing

type Debt = { currency: Currency; amount: string }
type Amounts = { price: string; balance: string; shortfall: string; owed: readonly Debt[] }
type Props = { amounts: Amounts; currency: Currency; onSolved?: () => void }

export function MissingFunds({ amounts, currency, onSolved }: Props) {
  const isSandbox = useIsSandbox()
  const [price = '', balance = '', shortfall = ''] = [
    amounts.price,
    amounts.balance,
    amounts.shortfall,
  ].map((one) => formatMoney(one, currency))
  const [debt] = amounts.owed
  const own = { currency, amount: amounts.shortfall }
  const paid = isZero(amounts.shortfall) ? (debt ?? own) : own
  return (
    <section aria-labelledby="funds" className="flex flex-col gap-3">
      <div role="alert" className="rounded-lg bg-warn-soft px-4 py-3">
        <h3 id="funds" className="font-semibold text-warn">
          {texts.funds}
        </h3>
        {!isZero(amounts.shortfall) && <p>{texts.fundsText(price, balance, shortfall)}</p>}
        {amounts.owed.map((debt) => (
          <p key={debt.currency}>{texts.owed(formatMoney(debt.amount, debt.currency))}</p>
        ))}
        <OtherBalances currency={currency} />
      </div>
      {isSandbox ? (
        <TopUpForm currency={paid.currency} {...(onSolved && { onDone: onSolved })} />
      ) : (
        <Link
          href={topUpPath(paid.currency, paid.amount)}
          className={`${buttonClass()} self-start`}
        >
          {texts.addMoney}
        </Link>
      )}
    </section>
  )
}

/** A balance in another currency cannot pay, but its currency can be chosen instead. */
function OtherBalances({ currency }: { currency: Currency }) {
  const others = useBalances().data?.filter(
    (one) => one.currency !== currency && !isZero(one.available),
  )
  return others?.map((one) => (
    <p key={one.currency}>{texts.other(formatMoney(one.available, one.currency), one.currency)}</p>
  ))
}
