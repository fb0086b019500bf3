// Domains of the account: the whole list in one query, each domain in one of its own, and changes
// that are shown at once.
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  type DomainListEntry,
  type DomainStatusResponse,
  getDomain,
  listDomains,
  lockDomain,
  protectDomain,
  setDomainReserve,
  unlockDomain,
  unprotectDomain,
  updateDomain,
} from 'sdk'
import { domainTexts as texts } from '../../messages/domain-texts.ts'
import { answerOf } from '../api.ts'
import { whileAway } from '../queries.ts'
import { confirmed } from '../sign-in/confirmed.ts'
import { showToast } from '../toasts.ts'
import { messageOf } from '../words/failure-words.ts'

export const domainsKey = ['domains'] as const
const domainKey = (domain: string) => ['domain', domain] as const
export const recordsKey = (domain: string) => ['dns-records', domain] as const
export const historyKey = (domain: string) => ['domain-history', domain] as const

export function useDomains() {
  return useQuery({
    queryKey: domainsKey,
    queryFn: async () => (await answerOf(listDomains())).domains,
  })
}

// This key is below that of the list, so that it becomes stale with the list.
export const summaryKey = [...domainsKey, 'summary'] as const

const watch_ms = 5_000

/** One domain, which is polled while the registry or another registrar has to act. */
export function useDomain(domain: string) {
  return useQuery({
    queryKey: domainKey(domain),
    queryFn: () => answerOf(getDomain({ path: { domain } })),
    refetchInterval: (query) => {
      const { data } = query.state
      return data && isMoving(data) ? watch_ms : whileAway(query)
    },
  })
}

function isMoving({ status, operation }: DomainStatusResponse): boolean {
  const isOpen = operation?.state === 'pending' || operation?.state === 'unknown'
  return isOpen || status === 'transfer_pending'
}

type Shown = Partial<
  Pick<DomainStatusResponse, 'auto_renew' | 'from_reserve' | 'locked' | 'protected'>
>

function showFacts(queries: QueryClient, domain: string, facts: Shown): void {
  queries.setQueryData<DomainListEntry[]>(domainsKey, (list) =>
    list?.map((one) => (one.domain === domain ? { ...one, ...facts } : one)),
  )
  queries.setQueryData<DomainStatusResponse>(
    domainKey(domain),
    (one) => one && { ...one, ...facts },
  )
}

/** Stores the domain that an operation has returned. */
export async function storeDomain(queries: QueryClient, status: DomainStatusResponse) {
  queries.setQueryData(domainKey(status.domain), status)
  await Promise.all([
    queries.invalidateQueries({ queryKey: domainsKey }),
    queries.invalidateQueries({ queryKey: historyKey(status.domain) }),
    queries.invalidateQueries({ queryKey: recordsKey(status.domain) }),
  ])
}

type Toggle<Change> = {
  send: (change: Change) => Promise<unknown>
  show: (change: Change) => Shown
  opposite: (change: Change) => Change
  /** The title of the toast. */
  words: (change: Change) => string
}

/** `undo` is null if this change is itself an undo. */
type Sent<Change> = { change: Change; undo: (() => void) | null }

/**
 * A change that is shown at once, that a toast can undo, and that is taken back if the request
 * fails.
 */
function useToggle<Change extends { domain: string }>(toggle: Toggle<Change>) {
  const queries = useQueryClient()
  const { send, show, opposite, words } = toggle
  const { mutate } = useMutation({
    mutationFn: ({ change }: Sent<Change>) => send(change),
    onMutate: async ({ change }) => {
      const { domain } = change
      await Promise.all([
        queries.cancelQueries({ queryKey: domainsKey }),
        queries.cancelQueries({ queryKey: domainKey(domain) }),
      ])
      showFacts(queries, domain, show(change))
    },
    onSuccess: (_answer, { change, undo }) => {
      if (undo) showToast({ title: words(change), undo })
    },
    onError: (error, { change }) => {
      showFacts(queries, change.domain, show(opposite(change)))
      const title = texts.notChanged(change.domain)
      showToast({ title, description: messageOf(error) })
    },
    // A lock changes the statuses at the registry, too.
    onSettled: (_answer, _error, { change }) =>
      Promise.all(
        [historyKey(change.domain), domainKey(change.domain), summaryKey].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  })
  return useCallback(
    (change: Change) => {
      const undo = () => mutate({ change: opposite(change), undo: null })
      mutate({ change, undo })
    },
    [mutate, opposite],
  )
}

type Renewal = { domain: string; auto_renew: boolean }

const renewal: Toggle<Renewal> = {
  send: ({ domain, auto_renew }) =>
    answerOf(updateDomain({ path: { domain }, body: { auto_renew } })),
  show: ({ auto_renew }) => ({ auto_renew }),
  opposite: (change) => ({ ...change, auto_renew: !change.auto_renew }),
  words: ({ domain, auto_renew }) => (auto_renew ? texts.renewOn(domain) : texts.renewOff(domain)),
}

export function useRenewalSwitch() {
  return useToggle(renewal)
}

type Lock = { domain: string; locked: boolean }

const lock: Toggle<Lock> = {
  send: ({ domain, locked }) =>
    locked
      ? answerOf(lockDomain({ path: { domain } }))
      : confirmed(() => answerOf(unlockDomain({ path: { domain } }))),
  show: ({ locked }) => ({ locked }),
  opposite: (change) => ({ ...change, locked: !change.locked }),
  words: ({ domain, locked }) => (locked ? texts.isLocked(domain) : texts.isUnlocked(domain)),
}

export function useLockSwitch() {
  return useToggle(lock)
}

type Reserve = { domain: string; from_reserve: boolean }

const reserve: Toggle<Reserve> = {
  send: ({ domain, from_reserve }) =>
    answerOf(setDomainReserve({ path: { domain }, body: { from_reserve } })),
  show: ({ from_reserve }) => ({ from_reserve }),
  opposite: (change) => ({ ...change, from_reserve: !change.from_reserve }),
  words: ({ domain, from_reserve }) =>
    from_reserve ? texts.drawsOnReserve(domain) : texts.drawsOnBalance(domain),
}

export function useReserveSwitch() {
  return useToggle(reserve)
}

type Protection = { domain: string; protected: boolean }

const protection: Toggle<Protection> = {
  send: ({ domain, protected: on }) =>
    answerOf(on ? protectDomain({ path: { domain } }) : unprotectDomain({ path: { domain } })),
  show: ({ protected: on }) => ({ protected: on }),
  opposite: (change) => ({ ...change, protected: !change.protected }),
  words: ({ domain, protected: on }) => (on ? texts.isProtected(domain) : texts.isExposed(domain)),
}

/**
 * Turning the protection off needs a log-in of the last ten minutes, which `confirmed` asks for.
 */
export function useProtectionSwitch(confirmed: <T>(work: () => Promise<T>) => Promise<T>) {
  return useToggle({
    ...protection,
    send: (change: Protection) => confirmed(() => protection.send(change)),
  })
}
