// Missing funds: what is needed and what is there, the other balances, and how to add money.
import { Link } from 'wouter'
import { formatMoney } from '../../lib/format.ts'
import { isZero } from '../../lib/money/amounts.ts'
import { type Currency, useBalances } from '../../lib/money/balance-queries.ts'
import { topUpPath } from '../../lib/money/top-up-paths.ts'
import { useIsSandbox } from '../../lib/sign-in/service-facts.ts'
import { paymentTexts } from '../../messages/payment.ts'
import { buttonClass } from '../button.tsx'
import { TopUpForm } from './top-up-form.tsx'

const texts = paymentTexts.missing

type Amounts = { price: string; balance: string; shortfall: string }
type Props = { amounts: Amounts; currency: Currency; onSolved?: () => void }

export function MissingFunds({ amounts, currency, onSolved }: Props) {
  const isSandbox = useIsSandbox()
  const [price = '', balance = '', shortfall = ''] = [
    amounts.price,
    amounts.balance,
    amounts.shortfall,
  ].map((one) => formatMoney(one, currency))
  return (
    <section aria-labelledby="funds" className="flex flex-col gap-3">
      <div role="alert" className="rounded-lg bg-warn-soft px-4 py-3">
        <h3 id="funds" className="font-semibold text-warn">
          {texts.funds}
        </h3>
        <p>{texts.fundsText(price, balance, shortfall)}</p>
        <OtherBalances currency={currency} />
      </div>
      {isSandbox ? (
        <TopUpForm currency={currency} {...(onSolved && { onDone: onSolved })} />
      ) : (
        <Link
          href={topUpPath(currency, amounts.shortfall)}
          className={`${buttonClass()} self-start`}
        >
          {texts.addMoney}
        </Link>
      )}
    </section>
  )
}

/** Money in another currency does not pay, but that currency can be chosen instead. */
function OtherBalances({ currency }: { currency: Currency }) {
  const others = useBalances().data?.filter(
    (one) => one.currency !== currency && !isZero(one.available),
  )
  return others?.map((one) => (
    <p key={one.currency}>{texts.other(formatMoney(one.available, one.currency), one.currency)}</p>
  ))
}
