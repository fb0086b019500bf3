// Result of a top-up, and the next step.
import { Link } from 'wouter'
import { buttonClass } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { formatMoney } from '../../lib/format.ts'
import { amountOfCents, isZero } from '../../lib/money/amounts.ts'
import { topUpPath } from '../../lib/money/top-up-paths.ts'
import type { Checkout } from '../../lib/money/top-up-queries.ts'
import { routes } from '../../lib/routes.ts'
import { topUpTexts } from '../../messages/money/top-up-texts.ts'

const texts = topUpTexts.ends

export function Ended({ checkout }: { checkout: Checkout }) {
  const { status, currency, credited_amount } = checkout
  const credited = formatMoney(credited_amount, currency)
  const asked = formatMoney(amountOfCents(checkout.amount_cents), currency)
  if (status === 'paid') return <Credited amount={credited} />
  if (status === 'underpaid')
    return (
      <Callout tone="warn" title={texts.underpaid}>
        <p>{texts.underpaidText(credited, asked)}</p>
        <Again currency={currency} />
      </Callout>
    )
  if (status === 'expired' || status === 'failed')
    return (
      <Callout tone={status === 'failed' ? 'bad' : 'warn'} title={texts[status]}>
        <p>{status === 'failed' ? texts.failedText : texts.expiredText}</p>
        <Again currency={currency} />
      </Callout>
    )
  if (isZero(credited_amount)) return null
  return (
    <Callout title={texts.partly}>
      <p>{texts.partlyText(credited, asked)}</p>
    </Callout>
  )
}

/** The amount is on the balance, and links lead to its uses. */
export function Credited({ amount }: { amount: string }) {
  return (
    <Callout tone="good" icon="check" title={texts.paid(amount)}>
      <p>{texts.paidText}</p>
      <p className="mt-3 flex flex-wrap gap-2">
        <Link href={routes.buy} className={buttonClass('primary')}>
          {texts.buy}
        </Link>
        <Link href={routes.invoices} className={buttonClass()}>
          {texts.invoices}
        </Link>
      </p>
    </Callout>
  )
}

export function Again({ currency }: { currency: string }) {
  return (
    <p className="mt-3">
      <Link href={topUpPath(currency)} className={buttonClass()}>
        {texts.again}
      </Link>
    </p>
  )
}
