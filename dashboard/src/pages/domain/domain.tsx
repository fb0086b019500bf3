// Page of one domain: its state, its next event, and its parts in tabs.
import { type ReactNode, useState } from 'react'
import type { DomainListEntry, DomainStatusResponse } from 'sdk'
import { Link, useParams, useSearchParams } from 'wouter'
import { Button, buttonClass } from '../../components/button.tsx'
import { DomainStatusBadge } from '../../components/domain-status.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PartPlace } from '../../components/part-place.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useDomain } from '../../lib/domains/domain-queries.ts'
import { earlyPart, lazyPart } from '../../lib/parts/lazy-part.ts'
import { dnsPath, routes } from '../../lib/routes.ts'
import { domainPageTexts as texts } from '../../messages/domain-page-texts.ts'
import { nextWords } from './next-words.ts'
import { OperationCallout } from './operation-callout.tsx'
import { Overview } from './overview.tsx'

const PayDialog = earlyPart(() => import('./pay-dialog.tsx'))
const TransferCallout = lazyPart(() => import('./transfer-callout.tsx'))
const NameserversTab = earlyPart(() => import('./nameservers-tab.tsx'))
const TransferTab = earlyPart(() => import('./transfer-tab.tsx'))
const ContactsTab = earlyPart(() => import('./contacts-tab.tsx'))
const HistoryTab = earlyPart(() => import('./history-tab.tsx'))

const tabNames = ['overview', 'nameservers', 'transfer', 'contacts', 'history'] as const

/** The status of a read, which never is that of a dry run. */
function readStatus({ status }: DomainStatusResponse): DomainListEntry['status'] {
  return status === 'dry_run' ? 'pending' : status
}

export default function DomainPage() {
  const { domain: name = '' } = useParams()
  const { data, isPending, isError, error, refetch } = useDomain(name)
  const subtitle = data && (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <DomainStatusBadge status={readStatus(data)} />
      {data.domain !== data.domain_unicode && (
        <code className="font-mono text-sm break-all">{data.domain}</code>
      )}
      {nextWords(data)}
    </span>
  )
  return (
    <>
      <Link
        href={routes.domains}
        className="mb-2 inline-block text-sm text-accent-ink hover:underline"
      >
        {texts.back}
      </Link>
      <PageHeader
        title={data?.domain_unicode ?? name}
        subtitle={subtitle}
        actions={data && <Actions domain={data} />}
      />
      {isPending && <Skeleton lines={6} />}
      {isError && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data && <Parts domain={data} />}
    </>
  )
}

/** Whether the account holds the domain, as opposed to having ordered it or lost it. */
const isHeld = ({ expiry, status }: DomainStatusResponse) =>
  expiry !== null && status !== 'transferred_away'

function Actions({ domain }: { domain: DomainStatusResponse }) {
  return (
    <>
      {isHeld(domain) && (
        <Link href={dnsPath(domain.domain)} className={buttonClass()}>
          {texts.dns}
        </Link>
      )}
      <PayButton domain={domain} />
    </>
  )
}

/** The paid action that `next_actions` has. A renewal is offered even before it is advised. */
function payable({ status, next_actions }: DomainStatusResponse): 'renew' | 'restore' | null {
  if (next_actions.some(({ type }) => type === 'restore')) return 'restore'
  const isRenewable = next_actions.some(({ type }) => type === 'renew') || status === 'active'
  return isRenewable ? 'renew' : null
}

function PayButton({ domain }: { domain: DomainStatusResponse }) {
  const [isOpen, setOpen] = useState(false)
  const kind = payable(domain)
  if (kind === null) return null
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        {texts.pay[kind]}
      </Button>
      {isOpen && (
        <PartPlace>
          <PayDialog domain={domain} kind={kind} onClose={() => setOpen(false)} />
        </PartPlace>
      )}
    </>
  )
}

function Parts({ domain }: { domain: DomainStatusResponse }) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('tab')
  const value = tabNames.find((one) => one === asked) ?? 'overview'
  const held = isHeld(domain)
  const contents: Record<(typeof tabNames)[number], ReactNode> = {
    overview: <Overview domain={domain} />,
    nameservers: <NameserversTab domain={domain} />,
    transfer: <TransferTab domain={domain} />,
    contacts: <ContactsTab contacts={domain.contacts} />,
    history: <HistoryTab domain={domain.domain} />,
  }
  const shown = tabNames.filter((tab) => held || tab === 'overview' || tab === 'history')
  return (
    <div className="flex flex-col gap-5">
      <OperationCallout domain={domain} />
      <PartPlace>
        <TransferCallout domain={domain} />
      </PartPlace>
      <Tabs
        label={texts.sections}
        value={shown.includes(value) ? value : 'overview'}
        onChange={(tab) => setSearch(tab === 'overview' ? {} : { tab }, { replace: true })}
        tabs={shown.map((tab) => ({
          value: tab,
          label: texts.tabs[tab],
          content: <PartPlace skeleton={<Skeleton />}>{contents[tab]}</PartPlace>,
        }))}
      />
    </div>
  )
}
