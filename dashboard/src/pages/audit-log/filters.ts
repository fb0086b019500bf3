// Filters of the audit log, which are kept in the URL of the page and sent as filters of the API.
import { useQuery } from '@tanstack/react-query'
import { listOauthGrants } from 'sdk'
import type { AuditFilter } from '../../components/audit/audit-entries.ts'
import { answerOf } from '../../lib/api.ts'
import { useApiKeys } from '../../lib/api-key-queries.ts'
import { useUrlFilters } from '../../lib/url-filters.ts'
import { auditTexts } from '../../messages/audit/audit-texts.ts'

const texts = auditTexts.filters
const names = ['actor', 'action', 'entry_point', 'from', 'to'] as const
type Name = (typeof names)[number]
export type Filters = Readonly<Record<Name, string>>

/** `from` and `to` are days, such as "2026-11-22". */
export function useFilters() {
  const { textOf, set, clear } = useUrlFilters()
  const filters: Filters = {
    actor: textOf('actor'),
    action: textOf('action'),
    entry_point: textOf('entry_point'),
    from: dayOf(textOf('from')),
    to: dayOf(textOf('to')),
  }
  return {
    filters,
    isFiltered: names.some((name) => filters[name] !== ''),
    set: (name: Name, value: string) => set(name, value),
    clear,
  }
}

function dayOf(text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  return isDay && !Number.isNaN(Date.parse(text)) ? text : ''
}

/** The range of two days in the reader's time zone, which may come in either order. */
function rangeOf({ from, to }: Filters): Partial<AuditFilter> {
  const [first = '', last = ''] = from !== '' && to !== '' && from > to ? [to, from] : [from, to]
  return {
    ...(first && { from_timestamp: new Date(`${first}T00:00:00`).toISOString() }),
    ...(last && { to_timestamp: new Date(`${last}T23:59:59.999`).toISOString() }),
  }
}

const kinds = ['customer', 'system', 'operator'] as const

function actorOf(actor: string): Partial<AuditFilter> {
  const kind = kinds.find((one) => one === actor)
  if (kind) return { actor_type: kind }
  if (/^key:[1-9]\d{0,14}$/.test(actor)) return { api_key_id: Number(actor.slice(4)) }
  if (actor.startsWith('app:')) return { actor_type: 'oauth_client', actor_label: actor.slice(4) }
  return {}
}

export function queryOf(filters: Filters, limit: number): AuditFilter {
  const { action, entry_point, actor } = filters
  return {
    limit,
    ...(action && { action }),
    ...(entry_point && { entry_point }),
    ...actorOf(actor),
    ...rangeOf(filters),
  }
}

/**
 * The actors to choose from: the owner, the keys and the apps of the account, the service and its
 * operators.
 */
export function useActors(chosen: string) {
  const keys = useApiKeys()
  const apps = useQuery({
    queryKey: ['oauth-grants', 'names'],
    queryFn: async () => {
      const { oauth_grants } = await answerOf(listOauthGrants())
      const all = new Set(oauth_grants.map(({ client_name }) => client_name))
      return [...all].filter((name) => name.trim() !== '').sort()
    },
  })
  const options = [
    { value: '', label: texts.anyActor },
    { value: 'customer', label: texts.you },
    ...(keys.data ?? []).map(({ id, name, key_prefix }) => {
      return { value: `key:${id}`, label: texts.key(name?.trim() || key_prefix) }
    }),
    ...(apps.data ?? []).map((name) => ({ value: `app:${name}`, label: texts.app(name) })),
    { value: 'system', label: texts.system },
    { value: 'operator', label: texts.operator },
  ]
  // A link may name an app or key that is not among those that were read.
  return options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }]
}
