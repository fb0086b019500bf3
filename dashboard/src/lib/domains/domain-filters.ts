// Filters, order and counts of the list of domains: pure functions over the whole list, so that ten
// thousand names are filtered between two frames.
import type { DomainListEntry } from 'sdk'

export const filterNames = ['q', 'status', 'renew', 'lock', 'expires', 'sort'] as const
export type FilterName = (typeof filterNames)[number]
/** The filters as texts of the URL; an empty text filters nothing. */
export type DomainFilters = Readonly<Record<FilterName, string>>

type Predicate = (domain: DomainListEntry) => boolean
const day_ms = 86_400_000

function predicateOf(filters: DomainFilters, now: number): Predicate {
  const { q, renew, lock, expires } = filters
  const wanted = q.trim().toLowerCase()
  const before = expires === '' ? '' : expiryLimit(expires, now)
  return (one) =>
    (wanted === '' || one.domain_unicode.includes(wanted) || one.domain.includes(wanted)) &&
    (renew === '' || one.auto_renew === (renew === 'on')) &&
    (lock === '' || one.locked === (lock === 'on')) &&
    (before === '' || (one.expires_at !== null && one.expires_at < before))
}

/**
 * The latest expiry for "past", or for a number of days from now. Times in UTC compare as texts.
 */
function expiryLimit(expires: string, now: number): string {
  const days = expires === 'past' ? 0 : Number(expires)
  return Number.isFinite(days) ? new Date(now + days * day_ms).toISOString() : ''
}

type Filtered = {
  rows: readonly DomainListEntry[]
  /** The number of domains of each status, among those that all other filters leave. */
  counts: ReadonlyMap<DomainListEntry['status'], number>
  /** The sum of the counts. */
  all: number
}

export function filterDomains(
  list: readonly DomainListEntry[],
  filters: DomainFilters,
  now: number,
): Filtered {
  const left = list.filter(predicateOf(filters, now))
  const counts = new Map<DomainListEntry['status'], number>()
  for (const { status } of left) counts.set(status, (counts.get(status) ?? 0) + 1)
  const { status } = filters
  const rows = status === '' ? left : left.filter((one) => one.status === status)
  return { rows, counts, all: left.length }
}

const orders: Readonly<Record<string, (domain: DomainListEntry) => string>> = {
  domain: ({ domain_unicode }) => domain_unicode,
  status: ({ status }) => status,
  // A domain without a date comes last.
  expires: ({ expires_at }) => expires_at ?? '~',
}

/** `sort` is a column, with "-" in front for descending order. Any other text sorts by name. */
export function sortDomains(
  list: readonly DomainListEntry[],
  sort: string,
): readonly DomainListEntry[] {
  const { key, descending } = readSort(sort)
  const textOf = orders[key]
  if (!textOf) return list
  const sign = descending ? -1 : 1
  return list
    .map((one) => ({ one, value: textOf(one) }))
    .sort((a, b) => (a.value === b.value ? 0 : a.value < b.value ? -sign : sign))
    .map(({ one }) => one)
}

export function readSort(sort: string): { key: string; descending: boolean } {
  const descending = sort.startsWith('-')
  const key = descending ? sort.slice(1) : sort
  return key in orders ? { key, descending } : { key: 'domain', descending: false }
}

/** The order after a click on the header of a column. */
export function nextSort(sort: string, key: string): string {
  const now = readSort(sort)
  if (now.key !== key) return key === 'domain' ? '' : key
  return now.descending ? (key === 'domain' ? '' : key) : `-${key}`
}
