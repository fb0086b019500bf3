// Progress of a payment in a cryptocurrency: the payment details, and the state.
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
import { topUpTexts } from '../../messages/money/top-up.ts'
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
      <div role="status" className="flex flex-wrap items-center gap-4">
        <Badge tone={statusTones[status]}>{topUpTexts.statuses[status]}</Badge>
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
    <span className="flex items-center gap-2 text-muted">
      <progress
        aria-hidden="true"
        max={required_confirmations}
        value={Math.min(confirmations, required_confirmations)}
        className="h-1.5 w-28 accent-accent"
      />
      {texts.confirmations(confirmations, required_confirmations)}
    </span>
  )
}
