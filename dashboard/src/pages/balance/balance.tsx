// Balance: available money, holds of open orders, and the statement.
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { buttonClass } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { Select } from '../../components/forms/select.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Money } from '../../components/payment/money.tsx'
import { TopUpForm } from '../../components/payment/top-up-form.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatMoney } from '../../lib/format.ts'
import { isZero } from '../../lib/money/amounts.ts'
import {
  type Currency,
  currencies,
  useBalance,
  useCurrency,
} from '../../lib/money/balance-queries.ts'
import { topUpPath } from '../../lib/money/top-up-paths.ts'
import { useIsSandbox } from '../../lib/sign-in/service-facts.ts'
import { balanceTexts as texts } from '../../messages/balance-texts.ts'
import { Reserve } from './reserve.tsx'
import { Statement } from './statement.tsx'

const options = currencies.map((value) => ({ value, label: value }))

export default function BalancePage() {
  const [search, setSearch] = useSearchParams()
  const currency = useCurrency(search.get('currency'))
  const isSandbox = useIsSandbox()
  const actions = currency && (
    <>
      <Select
        label={texts.currency}
        value={currency}
        options={options}
        onChange={(value) => setSearch({ currency: value }, { replace: true })}
      />
      <Link href={topUpPath(currency)} className={buttonClass('primary')}>
        {texts.addMoney}
      </Link>
    </>
  )
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} actions={actions} />
      {currency === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <Account currency={currency} isSandbox={isSandbox} />
      )}
    </>
  )
}

function Account({ currency, isSandbox }: { currency: Currency; isSandbox: boolean }) {
  return (
    <>
      <Figures currency={currency} />
      {isSandbox && (
        <Card title={texts.topUp.title} className="mt-5">
          <div className="flex flex-col gap-4 px-5 py-4">
            <p className="text-muted">{texts.topUp.text}</p>
            <TopUpForm currency={currency} />
          </div>
        </Card>
      )}
      <Reserve key={`reserve ${currency}`} currency={currency} />
      <Statement key={currency} currency={currency} isSandbox={isSandbox} />
    </>
  )
}

function Figures({ currency }: { currency: Currency }) {
  const { data, isError, error, refetch } = useBalance(currency)
  if (isError && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  const amount = (value: string | undefined) =>
    value !== undefined && <Money amount={value} currency={currency} />
  const totalNote =
    data && !isZero(data.reserved)
      ? texts.totalWithReserve(formatMoney(data.reserved, currency))
      : texts.totalNote
  const heldNote = data && isZero(data.held) ? texts.noneHeld : texts.heldNote
  return (
    <>
      {data && !isZero(data.owed) && <Debt owed={data.owed} currency={currency} />}
      <dl className="grid grid-cols-2 overflow-hidden rounded-xl border border-line bg-surface shadow-card sm:grid-cols-3 sm:divide-x sm:divide-line">
        <Figure
          label={texts.available}
          value={amount(data?.available)}
          note={texts.availableNote}
          className="max-sm:col-span-2 max-sm:border-b max-sm:border-line"
        />
        <Figure label={texts.held} value={amount(data?.held)} note={heldNote} />
        <Figure
          label={texts.total}
          value={amount(data?.total)}
          note={totalNote}
          className="max-sm:border-l max-sm:border-line"
        />
      </dl>
    </>
  )
}

/** A debt, which the next payment pays first; nothing can be bought before. */
function Debt({ owed, currency }: { owed: string; currency: Currency }) {
  return (
    <div className="mb-5">
      <Callout tone="bad" title={texts.owed(formatMoney(owed, currency))}>
        <p>{texts.owedText}</p>
        <Link href={topUpPath(currency, owed)} className={`${buttonClass('primary')} mt-3`}>
          {texts.addMoney}
        </Link>
      </Callout>
    </div>
  )
}

type FigureProps = { label: string; value: ReactNode; note: string; className?: string }

function Figure({ label, value, note, className = '' }: FigureProps) {
  return (
    <div className={`px-5 py-4 ${className}`}>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-1 min-h-8.5 text-2xl font-semibold tracking-tight max-sm:text-xl">
        {value}
      </dd>
      <dd className="mt-1 text-sm text-muted">{note}</dd>
    </div>
  )
}
