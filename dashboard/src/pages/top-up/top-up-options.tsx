// The amount, the currency and the method of a top-up.
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { RadioChips } from '../../components/payment/radio-chips.tsx'
import { formatMoney } from '../../lib/format.ts'
import { amountOfCents, centsOf } from '../../lib/money/amounts.ts'
import { type Currency, currencies } from '../../lib/money/balance-queries.ts'
import { checkoutPath } from '../../lib/money/top-up-paths.ts'
import {
  type TopUpAmount,
  type TopUpMethods,
  useCreateCardTopUp,
  useCreateTopUp,
} from '../../lib/money/top-up-queries.ts'
import { topUpTexts } from '../../messages/money/top-up-texts.ts'

const texts = topUpTexts.form
const suggested = ['25.00', '50.00', '100.00', '250.00']
const card = 'card'
const options = currencies.map((value) => ({ value, label: value }))

type Props = { methods: TopUpMethods; currency: Currency; amount: string | null }
type Method = NonNullable<TopUpMethods['gateway']>['assets'][number]

const keyOf = ({ asset, network }: Method) => `${asset}/${network}`

export function TopUpOptions({ methods, currency, amount }: Props) {
  const assets = methods.gateway?.assets ?? []
  const [written, setWritten] = useState(amount ?? suggested[0] ?? '')
  const first = methods.card ? card : ((assets[0] && keyOf(assets[0])) ?? null)
  const [method, setMethod] = useState(first)
  const [, setSearch] = useSearchParams()
  const cents = centsOf(written)
  const range = method === card ? methods.card : methods.gateway
  const problem = problemOf(cents, range, currency)
  const chosen = assets.find((one) => keyOf(one) === method) ?? null
  if (first === null) return <EmptyState icon="wallet" title={texts.none} text={texts.noneText} />
  const topUp = cents === null || problem !== null ? null : { amount_cents: cents, currency }
  return (
    <Card
      title={texts.title}
      action={
        <Select
          label={texts.currency}
          value={currency}
          options={options}
          onChange={(value) => setSearch({ currency: value }, { replace: true })}
        />
      }
    >
      <div className="flex flex-col gap-5 p-5">
        <div className="flex flex-col gap-3">
          <RadioChips
            legend={texts.amount}
            value={suggested.includes(written) ? written : null}
            choices={suggested.map((value) => ({ value, label: formatMoney(value, currency) }))}
            onChange={setWritten}
          />
          <div className="max-w-60">
            <Field
              label={texts.other}
              inputMode="decimal"
              autoComplete="off"
              value={written}
              onChange={(event) => setWritten(event.currentTarget.value)}
              {...(problem === null ? { hint: texts.otherHint } : { problem })}
            />
          </div>
        </div>
        <Methods methods={methods} method={method} onChange={setMethod} />
        {method === card ? (
          <PayByCard topUp={topUp} />
        ) : (
          <PayByAsset topUp={topUp} asset={chosen} />
        )}
      </div>
    </Card>
  )
}

type Range = { least_amount_cents: number; most_amount_cents: number } | null

function problemOf(cents: number | null, range: Range, currency: Currency): string | null {
  if (cents === null) return texts.invalid
  if (range === null) return null
  const money = (amount: number) => formatMoney(amountOfCents(amount), currency)
  if (cents < range.least_amount_cents) return texts.belowLeast(money(range.least_amount_cents))
  return cents > range.most_amount_cents ? texts.aboveMost(money(range.most_amount_cents)) : null
}

type MethodsProps = {
  methods: TopUpMethods
  method: string | null
  onChange: (method: string) => void
}

function Methods({ methods, method, onChange }: MethodsProps) {
  const all = [
    ...(methods.card ? [{ value: card, title: texts.card, text: texts.cardText }] : []),
    ...(methods.gateway?.assets ?? []).map((one) => ({
      value: keyOf(one),
      title: texts.asset(one.asset, one.network),
      text: texts.confirmations(one.required_confirmations),
    })),
  ]
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{texts.method}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {all.map(({ value, title, text }) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-lg border border-edge bg-surface px-4 py-3 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink"
          >
            <input
              type="radio"
              name="method"
              className="mt-1 accent-accent"
              checked={method === value}
              onChange={() => onChange(value)}
            />
            <span className="min-w-0">
              <span className="block font-medium">{title}</span>
              <span className="block text-sm text-muted">{text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const wordsOf = ({ amount_cents, currency }: TopUpAmount) =>
  formatMoney(amountOfCents(amount_cents), currency)

function PayByCard({ topUp }: { topUp: TopUpAmount | null }) {
  const { mutate, isPending, isSuccess, error } = useCreateCardTopUp()
  return (
    <Submit
      label={topUp ? texts.cardSubmit(wordsOf(topUp)) : texts.amountFirst}
      isBusy={isPending || isSuccess}
      error={error}
      onClick={topUp && (() => mutate(topUp, { onSuccess: ({ url }) => openPage(url) }))}
    />
  )
}

function openPage(url: string | null) {
  if (url !== null) location.assign(url)
}

function PayByAsset({ topUp, asset }: { topUp: TopUpAmount | null; asset: Method | null }) {
  const { mutate, isPending, error } = useCreateTopUp()
  const [, navigate] = useLocation()
  const pay = (amount: TopUpAmount, { asset: name, network }: Method) =>
    mutate(
      { ...amount, asset: name, network },
      { onSuccess: ({ id }) => navigate(checkoutPath(id)) },
    )
  return (
    <Submit
      label={topUp && asset ? texts.submit(wordsOf(topUp), asset.asset) : texts.amountFirst}
      isBusy={isPending}
      error={error}
      onClick={topUp && asset && (() => pay(topUp, asset))}
    />
  )
}

type SubmitProps = {
  label: string
  isBusy: boolean
  error: unknown
  onClick: (() => void) | null
}

function Submit({ label, isBusy, error, onClick }: SubmitProps) {
  return (
    <div className="flex flex-col items-start gap-3">
      <Button
        look="primary"
        busy={isBusy}
        disabled={onClick === null}
        onClick={() => onClick?.()}
        className="max-sm:w-full"
      >
        {label}
      </Button>
      {error !== null && <ErrorNotice error={error} />}
    </div>
  )
}
