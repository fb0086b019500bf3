// A transfer to this account: the price first, by a dry run; then the same request with that price
// as the most to pay. The page of the domain shows how it goes on.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { type Price, transferDomain } from 'sdk'
import { useLocation } from 'wouter'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Field } from '../components/field.tsx'
import { Money } from '../components/money.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { showToast } from '../components/toasts.ts'
import { ApiError, answerOf } from '../lib/api.ts'
import { storeDomain } from '../lib/domain-queries.ts'
import { formatMoney } from '../lib/format.ts'
import { domainPath } from '../lib/routes.ts'
import { transferInTexts as texts } from '../messages/transfer-in.ts'

type Wish = { domain: string; auth_code: string }

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

function TransferForm() {
  const [wish, setWish] = useState<Wish>({ domain: '', auth_code: '' })
  const quote = useMutation({
    mutationFn: async (body: Wish) =>
      (await answerOf(transferDomain({ body: { ...body, dry_run: true } }))).price ?? null,
  })
  const order = useOrder(wish)
  const price = quote.data
  const error = order.error ?? quote.error
  const fields = error instanceof ApiError ? error.failure.fields : {}
  const change = (part: Partial<Wish>) => {
    quote.reset()
    order.reset()
    setWish({ ...wish, ...part })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (price) order.mutate(price)
    else quote.mutate(wish)
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 p-5">
      <Field
        label={texts.domain}
        placeholder="example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        problem={fields.domain}
        value={wish.domain}
        onChange={(event) => change({ domain: event.currentTarget.value.trim() })}
      />
      <Field
        label={texts.code}
        hint={texts.codeHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        problem={fields.auth_code}
        value={wish.auth_code}
        onChange={(event) => change({ auth_code: event.currentTarget.value })}
      />
      {error && Object.keys(fields).length === 0 && <ErrorNotice error={error} />}
      <div role="status" className="flex flex-col gap-1 empty:-mt-4">
        {price && (
          <>
            <p className="flex items-baseline justify-between gap-3 text-lg font-semibold">
              <span>{texts.price}</span>
              <Money amount={price.amount} currency={price.currency} />
            </p>
            <p className="text-sm text-muted">{texts.keeps}</p>
          </>
        )}
      </div>
      <Button
        type="submit"
        look="primary"
        busy={quote.isPending || order.isPending}
        className="self-start"
      >
        {price ? texts.buy(formatMoney(price.amount, price.currency)) : texts.check}
      </Button>
    </form>
  )
}

/** One key for each domain and code: a second click after a lost answer is never paid twice. */
function useOrder(wish: Wish) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const key = useRef({ of: '', value: '' })
  return useMutation({
    mutationFn: ({ amount, currency, premium }: Price) => {
      const of = `${wish.domain} ${wish.auth_code}`
      if (key.current.of !== of) key.current = { of, value: crypto.randomUUID() }
      return answerOf(
        transferDomain({
          headers: { 'Idempotency-Key': key.current.value },
          body: { ...wish, max_price: amount, currency, allow_premium: premium },
        }),
      )
    },
    onSuccess: async (answer) => {
      showToast({ title: texts.ordered(answer.domain_unicode), description: texts.orderedText })
      navigate(domainPath(answer.domain))
      await storeDomain(queries, answer)
    },
  })
}
