// Progress of a payment in a cryptocurrency: the payment details and the state.
import { useEffect, useEffectEvent } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../components/badge.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Stepper } from '../../components/stepper.tsx'
import { formatMoney } from '../../lib/format.ts'
import { amountOfCents } from '../../lib/money/amounts.ts'
import { useMoneyMoved } from '../../lib/money/balance-queries.ts'
import { type Checkout, useCheckout } from '../../lib/money/top-up-queries.ts'
import { balancePath } from '../../lib/routes.ts'
import { topUpTexts } from '../../messages/money/top-up-texts.ts'
import { Ended } from './ended.tsx'
import { statusTones } from './open-top-ups.tsx'
import { PaymentDetails } from './payment-details.tsx'
import { Received } from './received.tsx'

const texts = topUpTexts.pay

export function CheckoutProgress({ id }: { id: string }) {
  const { data, isPending, isError, error, refetch } = useCheckout(id)
  const moneyMoved = useMoneyMoved()
  const credited = data?.credited_amount ?? null
  const onCredit = useEffectEvent(() => void moneyMoved())
  useEffect(() => {
    if (credited !== null) onCredit()
  }, [credited])
  const amount = data && formatMoney(amountOfCents(data.amount_cents), data.currency)
  return (
    <>
      <PageHeader
        title={amount ? texts.title(amount) : topUpTexts.title}
        subtitle={
          data && (
            <Link
              href={balancePath(data.currency)}
              className="inline-flex items-center gap-1.5 hover:underline"
            >
              {topUpTexts.balance}
            </Link>
          )
        }
      />
      {isPending && <Skeleton lines={8} />}
      {isError && data === undefined && (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      )}
      {data && <OpenCheckout checkout={data} />}
    </>
  )
}

const stepOf: Partial<Record<Checkout['status'], number>> = {
  created: 0,
  awaiting_payment: 0,
  confirming: 1,
  paid: 3,
}

function OpenCheckout({ checkout }: { checkout: Checkout }) {
  const { status, asset, network } = checkout
  const step = stepOf[status]
  const isOpen = status === 'awaiting_payment' || status === 'confirming'
  return (
    <div className="flex flex-col gap-5">
      <div role="status" className="flex flex-col gap-3">
        <div>
          <Badge tone={statusTones[status]}>{topUpTexts.statuses[status]}</Badge>
        </div>
        {status === 'confirming' && <Confirmations checkout={checkout} />}
      </div>
      {step !== undefined && (
        <Stepper
          label={topUpTexts.title}
          steps={texts.steps}
          current={step}
          words={texts.stepWords}
        />
      )}
      <Ended checkout={checkout} />
      {isOpen && asset !== null && network !== null && (
        <Callout tone="warn" title={texts.network(asset, network)}>
          <p>{texts.networkText}</p>
        </Callout>
      )}
      {isOpen && checkout.pay_address !== null && (
        <Card>
          <PaymentDetails checkout={checkout} />
        </Card>
      )}
      <Received checkout={checkout} />
    </div>
  )
}

function Confirmations({ checkout }: { checkout: Checkout }) {
  const { confirmations, required_confirmations } = checkout
  if (confirmations === null || required_confirmations === null) return null
  return (
    <div className="flex max-w-xl flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium tabular-nums">
          {texts.confirmations(confirmations, required_confirmations)}
        </span>
        <span className="text-sm text-muted">{texts.confirmationsText}</span>
      </div>
      <progress
        aria-label={topUpTexts.statuses.confirming}
        max={required_confirmations}
        value={Math.min(confirmations, required_confirmations)}
        className="h-2.5 w-full overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
      />
    </div>
  )
}
