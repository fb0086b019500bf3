// Home: first everything that waits for the owner, then balance, expiries and the agents' actions.
import type { ReactNode } from 'react'
import type { DomainsSummaryResponse, GetBalanceResponse } from 'sdk'
import { Link } from 'wouter'
import { isAgent, useAuditLog, withoutPlacements } from '../../components/audit/audit-entries.ts'
import { AuditSentence } from '../../components/audit/audit-sentence.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Money } from '../../components/payment/money.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useAccount } from '../../lib/account.ts'
import { useDomainsSummary } from '../../lib/domains/summary-query.ts'
import { formatMoment, formatMoney } from '../../lib/format.ts'
import { usePendingApprovals } from '../../lib/limits/pending-approvals.ts'
import { isZero } from '../../lib/money/amounts.ts'
import { useBalances } from '../../lib/money/balance-queries.ts'
import { routes } from '../../lib/routes.ts'
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { homeTexts as texts } from '../../messages/home-texts.ts'
import { ExpiryChart } from './expiry-chart.tsx'
import { GetStarted } from './get-started.tsx'
import { needsOf } from './needs.ts'
import { NeedsCard } from './needs-card.tsx'

const shown_actions = 6
const listFormat = new Intl.ListFormat(undefined, { type: 'conjunction' })

export default function HomePage() {
  const { name, created_at } = useAccount()
  const domains = useDomainsSummary()
  const balances = useBalances()
  const isNew = domains.data?.total === 0
  const needs = domains.data ? needsOf(domains.data, balances.data) : []
  const waiting = usePendingApprovals() ?? 0
  return (
    <>
      <PageHeader
        title={texts.title}
        subtitle={isFirstDay(created_at) ? texts.firstGreeting(name) : texts.greeting(name)}
      />
      <div className="flex flex-col gap-5">
        {domains.isPending && (
          <Card className="min-h-32">
            <Skeleton lines={3} />
          </Card>
        )}
        {domains.isError && (
          <ErrorNotice error={domains.error} onRetry={() => void domains.refetch()} />
        )}
        {waiting > 0 && <WaitingRequests count={waiting} />}
        {isNew && <GetStarted />}
        {domains.data && !isNew && (needs.length > 0 || waiting === 0) && (
          <NeedsCard needs={needs} others={othersOf(domains.data)} />
        )}
        <div className="grid gap-5 sm:grid-cols-2">
          <Balances balances={balances} />
          {!domains.isError && <DomainCount summary={domains.data} />}
        </div>
        <div className={`grid items-start gap-5 ${isNew ? '' : 'lg:grid-cols-2'}`}>
          {domains.isPending && (
            <Card className="min-h-72">
              <Skeleton lines={8} />
            </Card>
          )}
          {domains.data && !isNew && <ExpiryChart summary={domains.data} />}
          <AgentActions />
        </div>
      </div>
    </>
  )
}

/** Callout about the agents' requests that wait for the owner. */
function WaitingRequests({ count }: { count: number }) {
  return (
    <Callout tone="warn" title={texts.approvals.title(count)}>
      <p className="mb-2">{texts.approvals.text}</p>
      <Link href={routes.approvals} className={buttonClass()}>
        {texts.approvals.link}
      </Link>
    </Callout>
  )
}

function isFirstDay(created_at: string, now = Date.now()): boolean {
  return now - Date.parse(created_at) < 86_400_000
}

type Figures = { label: string; value: ReactNode; note?: ReactNode; link: ReactNode }

function Figure({ label, value, note, link }: Figures) {
  return (
    <Card className="px-5 py-4">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-sm text-muted">{label}</h2>
        {link}
      </div>
      <div className="mt-1 min-h-8.5 text-2xl font-semibold tracking-tight tabular-nums">
        {value}
      </div>
      <div className="mt-1 min-h-5.5 text-sm text-muted">{note}</div>
    </Card>
  )
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="text-sm font-medium text-accent-ink hover:underline">
      {children}
    </Link>
  )
}

/** The balances, one for each currency that the account has. */
function Balances({ balances }: { balances: ReturnType<typeof useBalances> }) {
  const { data, isError, error, refetch } = balances
  if (isError && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  const held = data?.filter((one) => !isZero(one.held))
  return (
    <Figure
      label={`${texts.balance.title}: ${texts.balance.available.toLowerCase()}`}
      value={data?.map(({ available, currency }) => (
        <span key={currency} className="mr-6 inline-block">
          <Money amount={available} currency={currency} />
        </span>
      ))}
      note={held && heldWords(held)}
      link={<TextLink href={routes.balance}>{texts.balance.link}</TextLink>}
    />
  )
}

function heldWords(balances: readonly GetBalanceResponse[]): string {
  if (balances.length === 0) return texts.balance.noneHeld
  const amounts = balances.map(({ held, currency }) => formatMoney(held, currency))
  return texts.balance.held(listFormat.format(amounts))
}

/** The number of domains that need attention but are not named in the summary. */
function othersOf({ attention }: DomainsSummaryResponse): number {
  return attention.total - attention.domains.length
}

function DomainCount({ summary }: { summary: DomainsSummaryResponse | undefined }) {
  const { auto_renew: renewing = 0, total: all = 0 } = summary ?? {}
  const note = renewing === 0 ? texts.noneRenewing : texts.renewing(renewing, all)
  return (
    <Figure
      label={texts.domains}
      value={summary?.total.toLocaleString()}
      note={all > 0 ? note : null}
      link={<TextLink href={routes.domains}>{texts.allDomains}</TextLink>}
    />
  )
}

function AgentActions() {
  const { mcp_endpoint } = useServiceUrls()
  const { data, isPending, isError, error, refetch } = useAuditLog({ limit: 50 })
  const entries = data?.pages.flatMap(({ audit_logs }) => audit_logs) ?? []
  const shown = withoutPlacements(entries.filter(isAgent)).slice(0, shown_actions)
  return (
    <Card
      title={texts.activity.title}
      action={<TextLink href={routes.auditLog}>{texts.activity.all}</TextLink>}
    >
      {isPending && <Skeleton lines={shown_actions} />}
      {isError && (
        <div className="p-4">
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data && shown.length === 0 && (
        <EmptyState
          icon="history"
          title={texts.activity.none}
          text={texts.activity.noneText}
          action={
            <Link href={routes.connect} className={buttonClass()}>
              {texts.activity.connect}
            </Link>
          }
          curl={`claude mcp add --transport http registrar ${mcp_endpoint}`}
        />
      )}
      <ul className="divide-y divide-line">
        {shown.map((entry) => (
          <li key={entry.id} className="px-5 py-2.5">
            <AuditSentence entry={entry} />
            <time dateTime={entry.created_at} className="block text-sm text-muted">
              {formatMoment(entry.created_at)}
            </time>
          </li>
        ))}
      </ul>
    </Card>
  )
}
