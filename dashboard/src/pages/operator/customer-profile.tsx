// A customer's profile as support staff need it: money, domains, orders, keys, log-ins, mails and
// the latest actions.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CustomerToolProfile } from 'sdk'
import { readCustomerProfile } from 'sdk-of-operators'
import { Link, useParams } from 'wouter'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Facts } from '../../components/operator/facts.tsx'
import { RefreshButton } from '../../components/operator/refresh-button.tsx'
import { StatusBadge } from '../../components/operator/status-badge.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Money } from '../../components/payment/money.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatAgo, formatDay, formatMoment } from '../../lib/format.ts'
import { profileKey } from '../../lib/operator/customer-keys.ts'
import { operatorRoutes, threadPath } from '../../lib/operator/operator-routes.ts'
import { profileTexts as texts } from '../../messages/operator/customer-texts.ts'
import { AccountStatus } from './account-status.tsx'
import { CustomerActivity } from './customer-activity.tsx'

export default function CustomerProfilePage() {
  const { customer_id = '' } = useParams()
  const profile = useQuery({
    queryKey: [profileKey, customer_id],
    queryFn: () => answerOf(readCustomerProfile({ path: { customer_id } })),
  })
  return (
    <>
      <p className="mb-2 text-sm">
        <Link href={operatorRoutes.customers} className="text-accent-ink hover:underline">
          ← {texts.back}
        </Link>
      </p>
      <PageHeader
        title={profile.data?.customer.name ?? customer_id}
        subtitle={profile.data && <Subtitle profile={profile.data} />}
        actions={
          <>
            <Link href={threadPath(customer_id)} className={buttonClass()}>
              {texts.support}
            </Link>
            {profile.data && <AccountStatus customer={profile.data.customer} />}
            <RefreshButton query={profile} />
          </>
        }
      />
      {profile.isPending && <Skeleton lines={8} />}
      {profile.isError && (
        <ErrorNotice error={profile.error} onRetry={() => void profile.refetch()} />
      )}
      {profile.data && <Profile profile={profile.data} />}
    </>
  )
}

type Props = { profile: CustomerToolProfile }

function Subtitle({ profile: { customer } }: Props) {
  const { email, company_name, status, id } = customer
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge status={status} />
      {company_name && <span>{company_name}</span>}
      <span className="break-all">{email}</span>
      <span className="font-mono text-xs break-all">{id}</span>
    </span>
  )
}

function Profile({ profile }: Props) {
  const { customer, counts, provider_clients } = profile
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <Balances profile={profile} />
      <Domains profile={profile} />
      <LogIns profile={profile} />
      <Card title={texts.account}>
        <Facts
          facts={[
            [texts.created, formatDay(customer.created_at)],
            [texts.nameservers, customer.default_nameservers.join(', ') || texts.ofService],
            [texts.registries, provider_clients.map(clientOf).join(', ') || '–'],
            [texts.contacts, String(counts.contacts)],
            [texts.invoices, String(counts.invoices)],
            [texts.topUps, String(counts.open_top_ups)],
          ]}
        />
      </Card>
      <CustomerActivity profile={profile} />
    </div>
  )
}

type Client = CustomerToolProfile['provider_clients'][number]
const clientOf = ({ registry, client_id, state }: Client) => `${registry} ${client_id} (${state})`

function Balances({ profile: { balances } }: Props) {
  return (
    <Card title={texts.balance}>
      {balances.length === 0 && <p className="px-5 py-4 text-muted">{texts.noBalance}</p>}
      {balances.map(({ currency, available, held, owed }) => (
        <Facts
          key={currency}
          facts={[
            [
              `${texts.available} (${currency})`,
              <Money key="a" amount={available} currency={currency} />,
            ],
            [texts.held, <Money key="h" amount={held} currency={currency} />],
            [texts.owed, <Money key="o" amount={owed} currency={currency} />],
          ]}
        />
      ))}
    </Card>
  )
}

function Domains({ profile: { domains } }: Props) {
  const { total, by_status, next_expiry } = domains
  return (
    <Card title={texts.domains}>
      <div className="px-5 py-4">
        <p className="text-2xl font-semibold tabular-nums">{texts.domainsOf(total)}</p>
        <p className="mt-2 flex flex-wrap gap-2">
          {Object.entries(by_status).map(([status, count]) => (
            <Badge key={status} tone={status === 'active' ? 'good' : 'warn'}>
              {`${count} ${status}`}
            </Badge>
          ))}
        </p>
        {next_expiry && (
          <p className="mt-2 text-sm text-muted">{texts.nextExpiry(formatDay(next_expiry))}</p>
        )}
      </div>
    </Card>
  )
}

function LogIns({ profile: { log_in } }: Props) {
  const { has_password, passkeys, identities, last_log_in_at, last_used_at, open_sessions } = log_in
  const ways = [
    ...(has_password ? [texts.password] : []),
    ...(passkeys > 0 ? [texts.passkeys(passkeys)] : []),
    ...identities,
  ]
  return (
    <Card title={texts.logIn}>
      <Facts
        facts={[
          [texts.ways, ways.join(', ') || texts.noWay],
          [texts.lastLogIn, <Moment key="in" at={last_log_in_at} />],
          [texts.lastUsed, <Moment key="use" at={last_used_at} />],
          [texts.sessions, String(open_sessions)],
        ]}
      />
    </Card>
  )
}

function Moment({ at }: { at: string | null }): ReactNode {
  return at === null ? texts.never : `${formatMoment(at)} (${formatAgo(at)})`
}
