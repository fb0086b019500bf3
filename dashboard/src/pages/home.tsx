// Home: the balance, the domains that expire first, and the latest transactions.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type DomainListEntry, getBalance, listTransactions } from 'sdk'
import { Link } from 'wouter'
import { Card } from '../components/card.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Money } from '../components/money.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { useAccount } from '../lib/account.ts'
import { answerOf } from '../lib/api.ts'
import { useDomains } from '../lib/domain-queries.ts'
import { daysUntil, formatDay, formatDistance, formatMoney } from '../lib/format.ts'
import { routes } from '../lib/routes.ts'
import { homeTexts as texts } from '../messages/home.ts'

const shown = 6
const soon_days = 30

export default function HomePage() {
  const { id, name } = useAccount()
  const domains = useDomains()
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.greeting(name)} />
      {domains.isError && (
        <div className="mb-5">
          <ErrorNotice error={domains.error} onRetry={() => void domains.refetch()} />
        </div>
      )}
      <div className="grid gap-5 sm:grid-cols-3">
        <Balance customer_id={id} />
        <Figure label={texts.domains} value={domains.data?.length.toLocaleString()} />
        <Soon domains={domains.data} />
      </div>
      <div className="mt-5 grid items-start gap-5 lg:grid-cols-2">
        <NextExpiries domains={domains.data} />
        <Latest customer_id={id} />
      </div>
    </>
  )
}

type Figures = { label: string; value: ReactNode; note?: ReactNode }

function Figure({ label, value, note }: Figures) {
  return (
    <Card className="px-5 py-4">
      <p className="text-sm text-muted">{label}</p>
      <p className="mt-1 min-h-8.5 text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
      {note && <p className="mt-1 text-sm text-muted">{note}</p>}
    </Card>
  )
}

function Balance({ customer_id }: { customer_id: string }) {
  const balance = useQuery({
    queryKey: ['balance'],
    queryFn: () => answerOf(getBalance({ path: { customer_id } })),
  })
  if (balance.isError)
    return <ErrorNotice error={balance.error} onRetry={() => void balance.refetch()} />
  const { data } = balance
  if (!data) return <Figure label={texts.available} value={null} />
  const { available, held, currency } = data
  const note = /[1-9]/.test(held) ? texts.held(formatMoney(held, currency)) : texts.noneHeld
  const value = <Money amount={available} currency={currency} />
  return <Figure label={texts.available} value={value} note={note} />
}

function Soon({ domains }: { domains: DomainListEntry[] | undefined }) {
  const soon = domains?.filter(
    ({ expires_at }) => expires_at !== null && daysUntil(expires_at) < soon_days,
  )
  const manual = soon?.filter(({ auto_renew }) => !auto_renew).length ?? 0
  const note = manual > 0 ? `${manual.toLocaleString()} ${texts.manual}` : undefined
  return <Figure label={texts.soon} value={soon?.length.toLocaleString()} note={note} />
}

function NextExpiries({ domains }: { domains: DomainListEntry[] | undefined }) {
  const dated = domains
    ?.flatMap(({ domain, domain_unicode, expires_at }) =>
      expires_at === null ? [] : [{ domain, domain_unicode, expires_at }],
    )
    .sort((a, b) => a.expires_at.localeCompare(b.expires_at))
    .slice(0, shown)
  const all = (
    <Link href={routes.domains} className="text-sm font-medium text-accent-ink hover:underline">
      {texts.next.all}
    </Link>
  )
  return (
    <Card title={texts.next.title} action={all}>
      {dated === undefined && <Skeleton lines={shown} />}
      {dated?.length === 0 && (
        <EmptyState icon="globe" title={texts.next.none} text={texts.next.noneText} />
      )}
      <ul className="divide-y divide-line">
        {dated?.map(({ domain, domain_unicode, expires_at }) => (
          <li key={domain} className="flex items-center justify-between gap-4 px-5 py-2.5">
            <span className="truncate font-medium">{domain_unicode}</span>
            <time
              dateTime={expires_at}
              className="shrink-0 text-muted"
              title={formatDay(expires_at)}
            >
              {formatDistance(expires_at)}
            </time>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Latest({ customer_id }: { customer_id: string }) {
  const asked = { path: { customer_id }, query: { limit: shown } }
  const latest = useQuery({
    queryKey: ['transactions', asked.query],
    queryFn: () => answerOf(listTransactions(asked)),
  })
  const list = latest.data?.transactions
  return (
    <Card title={texts.latest.title}>
      {latest.isError && <ErrorNotice error={latest.error} />}
      {latest.isPending && <Skeleton lines={shown} />}
      {list?.length === 0 && (
        <EmptyState icon="book" title={texts.latest.none} text={texts.latest.noneText} />
      )}
      <ul className="divide-y divide-line">
        {list?.map(({ id, type, description, amount, currency, created_at }) => (
          <li key={id} className="flex items-center justify-between gap-4 px-5 py-2.5">
            <span className="min-w-0">
              <span className="block truncate font-medium">{description}</span>
              <span className="text-sm text-muted">
                {texts.latest.types[type]} ·{' '}
                <time dateTime={created_at}>{formatDay(created_at)}</time>
              </span>
            </span>
            <Money amount={amount} currency={currency} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
