// Checkout: a quote with everything that will be used, one button with the price, and then the
// order until it has ended.
import { useState } from 'react'
import { type DomainStatusResponse, registerDomain, type TldPrice } from 'sdk'
import { SelectRow } from '../../components/forms/select.tsx'
import { PaymentSteps } from '../../components/payment/payment-steps.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import type { Currency } from '../../lib/money/balance-queries.ts'
import { type Quote, usePaidRequest } from '../../lib/money/paid-request.ts'
import { buyTexts } from '../../messages/buy-texts.ts'
import { OrderProgress } from './order-progress.tsx'
import { QuoteFacts } from './quote-facts.tsx'
import { RegistrantSelect, useRegistrant } from './registrant-select.tsx'

const texts = buyTexts.checkout

type Props = {
  domain: string
  /** The domain as people write it. */
  name: string
  currency: Currency
  periods: TldPrice['periods'] | undefined
  onClose: () => void
}

export function CheckoutDialog({ domain, name, currency, periods, onClose }: Props) {
  const [order, setOrder] = useState<{ holding: DomainStatusResponse; quote: Quote } | null>(null)
  const description = order === null ? { description: texts.description } : {}
  return (
    <Dialog open onClose={onClose} title={texts.title(name)} {...description}>
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

type CheckoutProps = Omit<Props, 'name'> & {
  onOrdered: (holding: DomainStatusResponse, quote: Quote) => void
}

function Checkout({ domain, currency, periods, onClose, onOrdered }: CheckoutProps) {
  const { min = 1, max = 10 } = periods ?? {}
  const [period_years, setYears] = useState(min)
  const choice = useRegistrant()
  const { registrant } = choice
  const wanted = {
    ...{ domain, currency, period_years },
    ...(registrant !== undefined && { contacts: { registrant } }),
  }
  const paid = usePaidRequest({
    terms: choice.isKnown ? ['register', domain, currency, period_years, registrant] : null,
    dryRun: () =>
      answerOf(registerDomain({ body: { ...wanted, allow_premium: true, dry_run: true } })),
    order: ({ price, idempotency_key }) =>
      answerOf(
        registerDomain({
          body: { ...wanted, allow_premium: price.premium, max_price: price.amount },
          headers: { 'Idempotency-Key': idempotency_key },
        }),
      ),
  })
  const options = Array.from({ length: max - min + 1 }, (_, at) => ({
    value: String(min + at),
    label: texts.years(min + at),
  }))
  return (
    <>
      <SelectRow
        label={texts.period}
        value={String(period_years)}
        options={options}
        onChange={(value) => {
          paid.payment.reset()
          setYears(Number(value))
        }}
      />
      <RegistrantSelect
        {...choice}
        onChange={(contact) => {
          paid.payment.reset()
          choice.choose(contact)
        }}
      />
      {!choice.isKnown && <Skeleton lines={4} />}
      <PaymentSteps
        domain={domain}
        paid={paid}
        currency={currency}
        facts={(quote) => <QuoteFacts quote={quote} />}
        submit={texts.submit}
        onClose={onClose}
        onPaid={onOrdered}
      />
    </>
  )
}
