// List of domains: all of them in a virtual table, with the filters in the URL and actions on those
// that are selected.
import { useEffect, useMemo, useState } from 'react'
import type { DomainListEntry } from 'sdk'
import { Link, useLocation } from 'wouter'
import { Button, buttonClass } from '../../components/button.tsx'
import { DomainStatusBadge } from '../../components/domain-status.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Switch } from '../../components/forms/switch.tsx'
import { Icon } from '../../components/icon.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PartPlace } from '../../components/part-place.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { type Column, DataTable } from '../../components/table/data-table.tsx'
import { filterDomains, nextSort, readSort, sortDomains } from '../../lib/domains/domain-filters.ts'
import { useDomains, useRenewalSwitch } from '../../lib/domains/domain-queries.ts'
import { formatDay } from '../../lib/format.ts'
import { earlyPart } from '../../lib/parts/lazy-part.ts'
import { domainPath, routes } from '../../lib/routes.ts'
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { bulkTexts } from '../../messages/bulk-texts.ts'
import { domainTexts as texts } from '../../messages/domain-texts.ts'
import { FilterBar, useDomainFilters } from './filter-bar.tsx'

const BulkBar = earlyPart(() => import('./bulk-bar.tsx'))

export default function DomainsPage() {
  const { data, isPending, isError, error, refetch } = useDomains()
  const transferIn = (
    <Link href={routes.transferIn} className={buttonClass()}>
      <Icon name="arrow" />
      {texts.transferIn}
    </Link>
  )
  const count = data && <span role="status">{texts.subtitle(data.length)}</span>
  return (
    <>
      <PageHeader title={texts.title} subtitle={count} actions={transferIn} />
      {isPending && <Skeleton lines={8} />}
      {isError && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <NoDomains />}
      {data && data.length > 0 && <DomainList domains={data} />}
    </>
  )
}

function DomainList({ domains }: { domains: readonly DomainListEntry[] }) {
  const { filter, set, clear } = useDomainFilters()
  const { q, status, renew, lock, expires, sort } = filter
  const sorted = useMemo(() => sortDomains(domains, sort), [domains, sort])
  const { rows, counts, all } = useMemo(() => {
    const fields = { q, status, renew, lock, expires, sort }
    return filterDomains(sorted, fields, Date.now())
  }, [sorted, q, status, renew, lock, expires, sort])
  const [, navigate] = useLocation()
  const columns = useColumns()
  const { selected, select, chosen } = useSelection(domains)
  return (
    <>
      <FilterBar filter={filter} set={set} counts={counts} all={all} />
      {chosen.length > 0 && (
        <PartPlace>
          <BulkBar domains={chosen} onClear={() => select(new Set())} />
        </PartPlace>
      )}
      {rows.length < domains.length && (
        <p role="status" className="mb-2 text-sm text-muted">
          {texts.shown(rows.length, domains.length)}
        </p>
      )}
      {rows.length === 0 ? (
        <EmptyState
          icon="search"
          {...texts.nothing}
          action={<Button onClick={clear}>{texts.clear}</Button>}
        />
      ) : (
        <DataTable
          label={texts.title}
          rows={rows}
          columns={columns}
          keyOf={keyOf}
          onOpen={({ domain }) => navigate(domainPath(domain))}
          sorting={{ ...readSort(sort), onSort: (key) => set('sort', nextSort(sort, key)) }}
          selection={{ selected, labelOf, onChange: select }}
        />
      )}
    </>
  )
}

const keyOf = ({ domain }: DomainListEntry) => domain
const labelOf = ({ domain_unicode }: DomainListEntry) => bulkTexts.select(domain_unicode)

/** The selected names. Names that have left the list are no longer selected. */
function useSelection(domains: readonly DomainListEntry[]) {
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const chosen = useMemo(
    () => (selected.size === 0 ? [] : domains.filter(({ domain }) => selected.has(domain))),
    [domains, selected],
  )
  useEffect(() => {
    if (chosen.length < selected.size) select(new Set(chosen.map(keyOf)))
  }, [chosen, selected])
  return { selected, select, chosen }
}

function useColumns(): Column<DomainListEntry>[] {
  const change = useRenewalSwitch()
  return useMemo(() => {
    const { domain, status, expires, renew } = texts.columns
    return [
      { key: 'domain', header: domain, sortable: true, cell: (row) => <Name row={row} /> },
      {
        key: 'status',
        header: status,
        width: 'w-44',
        sortable: true,
        cell: (row) => <DomainStatusBadge status={row.status} />,
      },
      {
        key: 'expires',
        header: expires,
        width: 'w-36',
        sortable: true,
        cell: ({ expires_at }) =>
          expires_at && (
            <time dateTime={expires_at} className="text-muted tabular-nums">
              {formatDay(expires_at)}
            </time>
          ),
      },
      {
        key: 'renew',
        header: renew,
        width: 'w-28',
        // A domain that the account does not hold has no term to renew.
        cell: (row) =>
          row.expires_at !== null && (
            <Switch
              label={texts.autoRenewOf(row.domain_unicode)}
              checked={row.auto_renew}
              onChange={(auto_renew) => change({ domain: row.domain, auto_renew })}
            />
          ),
      },
    ]
  }, [change])
}

function Name({ row }: { row: DomainListEntry }) {
  return (
    <span className="flex items-center gap-2">
      <Link href={domainPath(row.domain)} className="truncate font-medium hover:underline">
        {row.domain_unicode}
      </Link>
      {row.locked && (
        <span role="img" aria-label={texts.locked} title={texts.locked} className="text-muted">
          <Icon name="lock" className="size-3.5" />
        </span>
      )}
    </span>
  )
}

function NoDomains() {
  const { base_url } = useServiceUrls()
  const curl = `curl ${base_url}/v1/domains \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"domain":"example.com","max_price":"20.00"}'`
  const action = (
    <Link href={routes.buy} className={buttonClass('primary')}>
      {texts.empty.action}
    </Link>
  )
  return (
    <EmptyState
      icon="globe"
      title={texts.empty.title}
      text={texts.empty.text}
      action={action}
      curl={curl}
    />
  )
}
