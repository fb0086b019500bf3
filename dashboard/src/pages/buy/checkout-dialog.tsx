// Checkout: a quote with everything that will be used, one button with the price, and then the
// order until it has ended.
import { useState } from 'react'
import type { DomainStatusResponse, TldPrice } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { ApiError } from '../../lib/api.ts'
import type { Currency } from '../../lib/balance-queries.ts'
import { type Quote, usePurchase, useQuote } from '../../lib/buy-queries.ts'
import { formatMoney } from '../../lib/format.ts'
import { buyTexts } from '../../messages/buy.ts'
import { MissingFunds, MissingRegistrant } from './missing.tsx'
import { OrderProgress } from './order-progress.tsx'
import { QuoteFacts } from './quote-facts.tsx'

const texts = buyTexts.checkout

type Props = {
  domain: string
  currency: Currency
  periods: TldPrice['periods'] | undefined
  onClose: () => void
}

export function CheckoutDialog({ domain, currency, periods, onClose }: Props) {
  const [order, setOrder] = useState<{ holding: DomainStatusResponse; quote: Quote } | null>(null)
  const description = order === null ? { description: texts.description } : {}
  return (
    <Dialog open onClose={onClose} title={texts.title(domain)} {...description}>
      {order === null ? (
        <Checkout
          domain={domain}
          currency={currency}
          periods={periods}
          onClose={onClose}
          onOrdered={(holding, quote) => setOrder({ holding, quote })}
        />
      ) : (
        <OrderProgress {...order} onClose={onClose} />
      )}
    </Dialog>
  )
}

type CheckoutProps = Props & { onOrdered: (holding: DomainStatusResponse, quote: Quote) => void }

function Checkout({ domain, currency, periods, onClose, onOrdered }: CheckoutProps) {
  const { min = 1, max = 10 } = periods ?? {}
  const [period_years, setYears] = useState(min)
  const quote = useQuote({ domain, currency, period_years })
  const purchase = usePurchase()
  const again = () => {
    purchase.reset()
    void quote.refetch()
  }
  const options = Array.from({ length: max - min + 1 }, (_, at) => ({
    value: String(min + at),
    label: texts.years(min + at),
  }))
  const amount = quote.data && formatMoney(quote.data.price.amount, currency)
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <span className="text-muted">{texts.period}</span>
        <Select
          label={texts.period}
          value={String(period_years)}
          options={options}
          onChange={(value) => {
            purchase.reset()
            setYears(Number(value))
          }}
        />
      </div>
      {quote.isFetching && <Skeleton lines={4} />}
      {!quote.isFetching && quote.error && (
        <Obstacle error={quote.error} currency={currency} onSolved={again} />
      )}
      {!quote.isFetching && quote.data && <QuoteFacts quote={quote.data} />}
      {purchase.error && <Obstacle error={purchase.error} currency={currency} onSolved={again} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{buyTexts.cancel}</Button>
        {quote.data && !quote.isFetching && !isFinal(purchase.error) && (
          <Button
            look="primary"
            busy={purchase.isPending}
            onClick={() => {
              const accepted = quote.data
              purchase.mutate(accepted, { onSuccess: (holding) => onOrdered(holding, accepted) })
            }}
          >
            {purchase.isPending ? texts.submitting : texts.submit(amount ?? '')}
          </Button>
        )}
      </div>
      {amount && !quote.isFetching && (
        <p className="text-right text-sm text-muted">{texts.guarantee(amount)}</p>
      )}
    </>
  )
}

/** A refusal of this quote; without an answer, the same request may be sent again. */
function isFinal(error: Error | null): boolean {
  return error instanceof ApiError && error.failure.status !== 0 && error.failure.status < 500
}

type ObstacleProps = { error: Error; currency: Currency; onSolved: () => void }

/** Obstacles that are removed here; others show cause and next step. */
function Obstacle({ error, currency, onSolved }: ObstacleProps) {
  const code = error instanceof ApiError ? error.failure.code : ''
  if (error instanceof ApiError && code === 'insufficient_funds')
    return <MissingFunds error={error} currency={currency} onSolved={onSolved} />
  if (code === 'registrant_required') return <MissingRegistrant onSolved={onSolved} />
  return <ErrorNotice error={error} onRetry={onSolved} />
}
