// Transfer to this account: a dry run reads the price, then the same request is sent with that
// price as its maximum. The page of the domain shows the progress.
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type DomainStatusResponse, transferDomain } from 'sdk'
import { useLocation } from 'wouter'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Field } from '../components/field.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Obstacle } from '../components/payment/obstacle.tsx'
import { PayFrom } from '../components/payment/pay-from.tsx'
import { PriceChanged, QuotedPrice } from '../components/payment/payment-steps.tsx'
import { answerOf, fieldProblems } from '../lib/api.ts'
import { storeDomain } from '../lib/domains/domain-queries.ts'
import { formatMoney } from '../lib/format.ts'
import { type Currency, useCurrency } from '../lib/money/balance-queries.ts'
import { usePaidRequest } from '../lib/money/paid-request.ts'
import { domainPath } from '../lib/routes.ts'
import { showToast } from '../lib/toasts.ts'
import { transferInTexts as texts } from '../messages/transfer-in-texts.ts'

export default function TransferInPage() {
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <div className="grid items-start gap-5 lg:grid-cols-[3fr_2fr]">
        <Card title={texts.form}>
          <TransferForm />
        </Card>
        <Card title={texts.before}>
          <ol className="flex list-decimal flex-col gap-2 py-4 pr-5 pl-9">
            {texts.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Card>
      </div>
    </>
  )
}

type Entered = { domain: string; auth_code: string }

/** The price for the values that the user has submitted; other values need another submission. */
function usePaidTransfer(asked: Entered | null, currency: Currency | undefined) {
  const entered = asked ?? { domain: '', auth_code: '' }
  const body = { ...entered, ...(currency && { currency }) }
  const isAsked = asked !== null && currency !== undefined
  return usePaidRequest({
    terms: isAsked ? ['transfer', asked, currency] : null,
    dryRun: () =>
      answerOf(transferDomain({ body: { ...body, allow_premium: true, dry_run: true } })),
    order: ({ price, idempotency_key }) =>
      answerOf(
        transferDomain({
          headers: { 'Idempotency-Key': idempotency_key },
          body: { ...body, max_price: price.amount, allow_premium: price.premium },
        }),
      ),
  })
}

function TransferForm() {
  const { entered, currency, paid, error, change, choose, submit } = useTransferForm()
  const { quote, payment, replaced } = paid
  const problems = fieldProblems(error)
  return (
    <div className="flex flex-col gap-4 p-5">
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TransferFields entered={entered} problems={problems} onChange={change} />
        <PayFrom currency={currency} onChange={choose} />
        <div role="status" className="flex flex-col gap-1 empty:-mt-4">
          {quote && (
            <>
              {replaced && <PriceChanged from={replaced} to={quote.price} />}
              <QuotedPrice price={quote.price} label={texts.price} />
              <p className="text-sm text-muted">{texts.keeps}</p>
            </>
          )}
        </div>
        <Button
          type="submit"
          look="primary"
          busy={paid.isQuoting || payment.isPending}
          className="self-start"
        >
          {quote && paid.isPayable
            ? texts.buy(formatMoney(quote.price.amount, quote.price.currency))
            : texts.check}
        </Button>
      </form>
      {error && currency && Object.keys(problems).length === 0 && (
        <Obstacle error={error} currency={currency} onSolved={paid.again} />
      )}
    </div>
  )
}

function useTransferForm() {
  const [entered, setEntered] = useState<Entered>({ domain: '', auth_code: '' })
  const [asked, setAsked] = useState<Entered | null>(null)
  const [chosen, setChosen] = useState<Currency | null>(null)
  const currency = useCurrency(chosen)
  const paid = usePaidTransfer(asked, currency)
  const onOrdered = useOrdered()
  const { quote, payment } = paid
  return {
    ...{ entered, currency, paid },
    error: asked === null ? null : (paid.paymentError ?? paid.quoteError),
    change: (part: Partial<Entered>) => {
      payment.reset()
      setAsked(null)
      setEntered({ ...entered, ...part })
    },
    choose: (value: Currency) => {
      payment.reset()
      setChosen(value)
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (quote && paid.isPayable) payment.mutate(quote, { onSuccess: onOrdered })
      else if (asked === null) setAsked(entered)
      else paid.again()
    },
  }
}

type FieldsProps = {
  entered: Entered
  problems: Readonly<Record<string, string>>
  onChange: (part: Partial<Entered>) => void
}

function TransferFields({ entered, problems, onChange }: FieldsProps) {
  return (
    <>
      <Field
        label={texts.domain}
        placeholder="example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        problem={problems.domain}
        value={entered.domain}
        onChange={(event) => onChange({ domain: event.currentTarget.value.trim() })}
      />
      <Field
        label={texts.code}
        hint={texts.codeHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        problem={problems.auth_code}
        value={entered.auth_code}
        onChange={(event) => onChange({ auth_code: event.currentTarget.value })}
      />
    </>
  )
}

function useOrdered() {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  return (answer: DomainStatusResponse) => {
    showToast({ title: texts.ordered(answer.domain_unicode), description: texts.orderedText })
    navigate(domainPath(answer.domain))
    void storeDomain(queries, answer)
  }
}
