// Audit log of the account, and its entries as sentences.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type AuditLogResponse, type ListAuditLogsData, listAuditLogs } from 'sdk'
import { useAccount } from '../../lib/account.ts'
import { answerOf } from '../../lib/api.ts'
import { objectOf } from '../../messages/audit/audit-objects.ts'
import { auditTexts as texts } from '../../messages/audit/audit-texts.ts'

export type AuditFilter = NonNullable<ListAuditLogsData['query']>

/** Pages of the log, newest first. */
export function useAuditLog(filter: AuditFilter) {
  const { id: customer_id } = useAccount()
  return useInfiniteQuery({
    queryKey: ['audit-log', filter],
    queryFn: ({ pageParam }) => {
      const query = { ...filter, ...(pageParam !== '' && { cursor: pageParam }) }
      return answerOf(listAuditLogs({ path: { customer_id }, query }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/**
 * The same log, read on until an entry matches: a page of a filtered log may be empty although
 * older pages are not.
 */
export function useSearchedAuditLog(filter: AuditFilter) {
  const query = useAuditLog(filter)
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query
  const isEmpty = data?.pages.every(({ audit_logs }) => audit_logs.length === 0) ?? false
  const isSearching = isEmpty && hasNextPage && !isError
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) void fetchNextPage()
  }, [isSearching, isFetchingNextPage, fetchNextPage])
  return { ...query, isSearching }
}

/**
 * An order has two entries, its placement and its end. The placement is left out once the order has
 * ended; as the newest entry is first, the end precedes it.
 */
export function withoutPlacements(entries: readonly AuditLogResponse[]): AuditLogResponse[] {
  const ended = new Set<unknown>()
  return entries.filter(({ metadata, result }) => {
    const { order } = metadata
    if (typeof order !== 'string') return true
    const isSuperseded = ended.has(order) && (result === 'pending' || result === 'unknown')
    ended.add(order)
    return !isSuperseded
  })
}

/** The name of an agent without its version: "Claude Code/2.1" is "Claude Code". */
function agentOf(identifier: string): string {
  return identifier.split('/')[0]?.trim() ?? ''
}

const tools = /^(curl|node|undici|python|go-http|mozilla|axios|okhttp|java|wget)/i

export function actorOf(entry: AuditLogResponse): string {
  const { action, actor_type, actor_label, agent_identifier } = entry
  // A job does the work, so that the response is the same for an unknown address.
  if (action === 'request_password_reset') return texts.actors.someone
  const agent = agentOf(agent_identifier)
  switch (actor_type) {
    case 'customer':
      return texts.actors.you
    case 'api_key':
      return agent !== '' && !tools.test(agent) ? agent : (actor_label ?? texts.actors.key)
    case 'oauth_client':
      return actor_label ?? (agent || texts.actors.app)
    case 'operator':
      return texts.actors.operator
    case 'anonymous':
      return action === 'confirm_password_reset' ? texts.actors.linkHolder : texts.actors.anonymous
    default:
      return texts.actors.system
  }
}

/** Whether the entry is of a dry run, whose refusal is no failure because it does nothing. */
export function isDryRun({ metadata }: AuditLogResponse): boolean {
  return metadata.dry_run === true
}

/** Whether the entry says that an order or a payment waits for an operator. */
export function isParked({ action, result }: AuditLogResponse): boolean {
  return result === 'unknown' && /^park_/.test(action)
}

/** Actions whose dry run returns a price. */
const paid: readonly string[] = [
  ...['register_domain', 'renew_domain', 'transfer_domain', 'restore_domain'],
]

/** The verb of an entry, in the form that fits its result. */
export function actionOf(entry: AuditLogResponse): string {
  const { action, result } = entry
  const [done, tried, pending] = texts.verbOf(action)
  if (isDryRun(entry)) return paid.includes(action) ? texts.quoted(tried) : texts.previewed(tried)
  switch (result) {
    case 'success':
      return done
    case 'pending':
      return pending ?? texts.ordered(tried)
    case 'unknown':
      return pending ?? texts.unknownEnd(tried)
    default:
      return texts.tried(tried)
  }
}

/**
 * The object by its name, or by its kind if the attempt was refused before the object was known.
 */
export function shownObjectOf(entry: AuditLogResponse): string | null {
  return objectOf(entry) ?? (entry.target_type === null ? texts.defaultObject(entry.action) : null)
}

export function isAgent({ actor_type }: AuditLogResponse): boolean {
  return actor_type === 'api_key' || actor_type === 'oauth_client'
}
