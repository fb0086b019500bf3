// Filters of the list of domains, kept in the URL, with a count for each status.
import type { DomainListEntry } from 'sdk'
import { inputClass } from '../../components/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import {
  type DomainFilters,
  type FilterName,
  filterNames,
} from '../../lib/domains/domain-filters.ts'
import { useUrlFilters } from '../../lib/url-filters.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { domainTexts as texts } from '../../messages/domain-texts.ts'

const statuses: readonly DomainListEntry['status'][] = [
  'active',
  'pending',
  'transfer_pending',
  'expired',
  'redemption',
  'pending_delete',
  'transferred_away',
  'failed',
]
const renewOptions = [
  { value: '', label: texts.anyRenewal },
  { value: 'on', label: texts.on },
  { value: 'off', label: texts.off },
]
const lockOptions = [
  { value: '', label: texts.anyLock },
  { value: 'on', label: texts.lockOn },
  { value: 'off', label: texts.lockOff },
]
const expiryOptions = [
  { value: '', label: texts.anyExpiry },
  ...[30, 60, 90].map((days) => ({ value: String(days), label: texts.expiresIn(days) })),
  { value: 'past', label: texts.expiresPast },
]
const sortOptions = [
  { value: '', label: texts.sorts.name },
  { value: '-domain', label: texts.sorts.nameDown },
  { value: 'expires', label: texts.sorts.expires },
  { value: '-expires', label: texts.sorts.expiresDown },
  { value: 'status', label: texts.sorts.status },
]

export function useDomainFilters() {
  const { textOf, set, clear } = useUrlFilters()
  const filters = Object.fromEntries(filterNames.map((name) => [name, textOf(name)]))
  const { q = '', status = '', renew = '', lock = '', expires = '', sort = '' } = filters
  const filter: DomainFilters = { q, status, renew, lock, expires, sort }
  return { filter, set: (name: FilterName, value: string) => set(name, value), clear }
}

type Props = {
  filter: DomainFilters
  set: (name: FilterName, value: string) => void
  counts: ReadonlyMap<DomainListEntry['status'], number>
  all: number
}

export function FilterBar({ filter, set, counts, all }: Props) {
  const { q, renew, lock, expires, sort } = filter
  const isPhone = useIsPhone()
  return (
    <search className="mb-4 flex flex-col gap-3">
      <StatusCounts {...{ filter, set, counts, all }} />
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={q}
          onChange={(event) => set('q', event.currentTarget.value)}
          className={`${inputClass} max-sm:col-span-2 sm:max-w-64`}
        />
        <Select
          label={texts.expires}
          value={expires}
          options={expiryOptions}
          onChange={(value) => set('expires', value)}
        />
        <Select
          label={texts.renewal}
          value={renew}
          options={renewOptions}
          onChange={(value) => set('renew', value)}
        />
        <Select
          label={texts.lock}
          value={lock}
          options={lockOptions}
          onChange={(value) => set('lock', value)}
        />
        {isPhone && (
          <Select
            label={texts.sort}
            value={sort}
            options={sortOptions}
            onChange={(value) => set('sort', value)}
          />
        )}
      </div>
    </search>
  )
}

function StatusCounts({ filter, set, counts, all }: Props) {
  const present = statuses.filter((status) => counts.has(status) || filter.status === status)
  const choices = [
    { value: '', label: texts.all, count: all },
    ...present.map((status) => ({
      value: status,
      label: texts.statuses[status],
      count: counts.get(status) ?? 0,
    })),
  ]
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">{texts.status}</legend>
      {choices.map(({ value, label, count }) => (
        <button
          key={value}
          type="button"
          aria-pressed={filter.status === value}
          onClick={() => set('status', value)}
          className="inline-flex h-8 items-center gap-2 rounded-full border border-line bg-surface px-3 font-medium text-muted hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
        >
          {label}
          <span className="text-xs tabular-nums">{count.toLocaleString()}</span>
        </button>
      ))}
    </fieldset>
  )
}
