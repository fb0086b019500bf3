// Steps of a paid request in a dialog: its price with the facts of the quote, its obstacles, and
// one button that names the price.
import type { ReactNode } from 'react'
import type { DomainStatusResponse, Price } from 'sdk'
import { formatMoney } from '../../lib/format.ts'
import { type Currency, useBalance } from '../../lib/money/balance-queries.ts'
import type { PaidRequest, Quote } from '../../lib/money/paid-request.ts'
import { common } from '../../messages/common-texts.ts'
import { paymentTexts as texts } from '../../messages/payment-texts.ts'
import { Button } from '../button.tsx'
import { Callout } from '../callout.tsx'
import { Skeleton } from '../skeleton.tsx'
import { Money } from './money.tsx'
import { Obstacle } from './obstacle.tsx'

type Props = {
  paid: PaidRequest
  currency: Currency
  /** The domain of a purchase, which the account may hold already. */
  domain?: string
  facts: (quote: Quote) => ReactNode
  /** The words of the button. */
  submit: (amount: string) => string
  onClose: () => void
  onPaid: (answer: DomainStatusResponse, quote: Quote) => void
}

export function PaymentSteps({ paid, currency, domain, facts, submit, onClose, onPaid }: Props) {
  const { quote, payment, replaced, quoteError, paymentError, again } = paid
  const amount = quote && formatMoney(quote.price.amount, quote.price.currency)
  return (
    <>
      {paid.isQuoting && <Skeleton lines={4} />}
      {quoteError && <Obstacle error={quoteError} {...{ currency, domain }} onSolved={again} />}
      {quote && replaced && <PriceChanged from={replaced} to={quote.price} />}
      {quote && facts(quote)}
      {paymentError && (
        <Obstacle isOrder error={paymentError} {...{ currency, domain }} onSolved={again} />
      )}
      <p role="status" className="text-sm text-warn empty:hidden">
        {payment.isPending && texts.inFlight}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{payment.isPending ? common.close : common.cancel}</Button>
        {quote && paid.isPayable && (
          <Button
            look="primary"
            busy={payment.isPending}
            onClick={() => payment.mutate(quote, { onSuccess: (answer) => onPaid(answer, quote) })}
          >
            {payment.isPending ? texts.submitting : submit(amount ?? '')}
          </Button>
        )}
      </div>
      {amount && <p className="text-right text-sm text-muted">{texts.guarantee(amount)}</p>}
    </>
  )
}

export function PriceChanged({ from, to }: { from: Price; to: Price }) {
  const [old, now] = [from, to].map(({ amount, currency }) => formatMoney(amount, currency))
  return (
    <div role="status">
      <Callout tone="warn" title={texts.changed(old ?? '', now ?? '')}>
        <p>{texts.changedText}</p>
      </Callout>
    </div>
  )
}

/** The price of a quote with the balance that pays it, marked if it is a premium price. */
export function QuotedPrice({ price, label }: { price: Price; label: string }) {
  const balance = useBalance(price.currency)
  return (
    <>
      {price.premium && (
        <p className="rounded-lg bg-warn-soft px-4 py-3 text-warn">{texts.premium}</p>
      )}
      <p className="flex items-baseline justify-between gap-3 text-lg font-semibold">
        <span>{label}</span>
        <Money amount={price.amount} currency={price.currency} />
      </p>
      {balance.data && (
        <p className="-mt-3 flex items-baseline justify-between gap-3 text-muted">
          <span>{texts.available}</span>
          <Money amount={balance.data.available} currency={price.currency} />
        </p>
      )}
    </>
  )
}
