// List of domains: all of them in a virtual table, with the filters in the URL.
import { useMemo } from 'react'
import type { DomainListEntry } from 'sdk'
import { useSearchParams } from 'wouter'
import { Badge, type Tone } from '../components/badge.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { inputClass } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Select } from '../components/select.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Switch } from '../components/switch.tsx'
import { showToast } from '../components/toasts.ts'
import { ApiError } from '../lib/api.ts'
import { useDomains, useRenewal } from '../lib/domain-queries.ts'
import { formatDay } from '../lib/format.ts'
import { domainTexts as texts } from '../messages/domains.ts'

type Status = DomainListEntry['status']

const tones: Record<Status, Tone> = {
  pending: 'accent',
  active: 'good',
  expired: 'warn',
  redemption: 'bad',
  pending_delete: 'bad',
  transfer_pending: 'accent',
  transferred_away: 'neutral',
  failed: 'bad',
}

const statusOptions = [
  { value: '', label: texts.anyStatus },
  ...Object.entries(texts.statuses).map(([value, label]) => ({ value, label })),
]
const renewOptions = [
  { value: '', label: texts.anyRenewal },
  { value: 'on', label: texts.on },
  { value: 'off', label: texts.off },
]

function useFilters() {
  const [search, setSearch] = useSearchParams()
  const set = (name: string, value: string) =>
    setSearch(
      (old) => {
        const next = new URLSearchParams(old)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const of = (name: string) => search.get(name) ?? ''
  return {
    q: of('q'),
    status: of('status'),
    renew: of('renew'),
    set,
    clear: () => setSearch({}, { replace: true }),
  }
}

export default function DomainsPage() {
  const { data, isPending, isError, error, refetch } = useDomains()
  const filters = useFilters()
  const { q, status, renew } = filters
  const rows = useMemo(() => {
    const wanted = q.trim().toLowerCase()
    return (data ?? []).filter(
      (one) =>
        (one.domain_unicode.includes(wanted) || one.domain.includes(wanted)) &&
        (status === '' || one.status === status) &&
        (renew === '' || one.auto_renew === (renew === 'on')),
    )
  }, [data, q, status, renew])
  const columns = useColumns()
  const all = data?.length ?? 0
  const subtitle = rows.length === all ? texts.subtitle(all) : texts.shown(rows.length, all)
  return (
    <>
      <PageHeader title={texts.title} subtitle={data && <span role="status">{subtitle}</span>} />
      {isPending && <Skeleton lines={8} />}
      {isError && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data && all === 0 && <NoDomains />}
      {all > 0 && (
        <>
          <Filters {...filters} />
          {rows.length === 0 ? (
            <EmptyState
              icon="search"
              {...texts.nothing}
              action={<Button onClick={filters.clear}>{texts.clear}</Button>}
            />
          ) : (
            <DataTable
              label={texts.title}
              rows={rows}
              columns={columns}
              keyOf={({ domain }) => domain}
            />
          )}
        </>
      )}
    </>
  )
}

function Filters({ q, status, renew, set }: ReturnType<typeof useFilters>) {
  return (
    <search className="mb-4 flex flex-wrap gap-2">
      <input
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        value={q}
        onChange={(event) => set('q', event.currentTarget.value)}
        className={`${inputClass} sm:max-w-64`}
      />
      <Select
        label={texts.status}
        value={status}
        options={statusOptions}
        onChange={(value) => set('status', value)}
      />
      <Select
        label={texts.renewal}
        value={renew}
        options={renewOptions}
        onChange={(value) => set('renew', value)}
      />
    </search>
  )
}

function useColumns(): Column<DomainListEntry>[] {
  const { mutate } = useRenewal()
  return useMemo(() => {
    const change = (domain: string, auto_renew: boolean, isUndo = false) =>
      mutate(
        { domain, auto_renew },
        {
          onSuccess: () => {
            if (isUndo) return
            const title = auto_renew ? texts.renewOn(domain) : texts.renewOff(domain)
            showToast({ title, undo: () => change(domain, !auto_renew, true) })
          },
          onError: (error) => {
            const description = error instanceof ApiError ? error.failure.message : undefined
            showToast({ title: texts.notChanged(domain), description })
          },
        },
      )
    const { domain, status, expires, renew } = texts.columns
    return [
      { key: 'domain', header: domain, cell: (row) => <Name row={row} /> },
      {
        key: 'status',
        header: status,
        width: 'w-44',
        cell: (row) => <Badge tone={tones[row.status]}>{texts.statuses[row.status]}</Badge>,
      },
      {
        key: 'expires',
        header: expires,
        width: 'w-36',
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
        cell: (row) => (
          <Switch
            label={texts.autoRenewOf(row.domain_unicode)}
            checked={row.auto_renew}
            onChange={(on) => change(row.domain, on)}
          />
        ),
      },
    ]
  }, [mutate])
}

function Name({ row }: { row: DomainListEntry }) {
  return (
    <span className="flex items-center gap-2">
      <span className="truncate font-medium">{row.domain_unicode}</span>
      {row.locked && (
        <span role="img" aria-label={texts.locked} title={texts.locked} className="text-muted">
          <Icon name="lock" className="size-3.5" />
        </span>
      )}
    </span>
  )
}

function NoDomains() {
  const curl = `curl ${location.origin}/v1/domains \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"domain":"example.com","max_price":"20.00"}'`
  const action = (
    <a href="/docs" className={buttonClass('primary')}>
      {texts.empty.action}
    </a>
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
