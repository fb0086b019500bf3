// Domains of the account: the whole list in one query, and the optimistic change of a renewal.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type DomainListEntry, listDomains, updateDomain } from 'sdk'
import { answerOf } from './api.ts'

const domainsKey = ['domains'] as const

export function useDomains() {
  return useQuery({
    queryKey: domainsKey,
    queryFn: async () => (await answerOf(listDomains())).domains,
  })
}

type Renewal = { domain: string; auto_renew: boolean }

/** Shown at once, and undone where the request fails. */
export function useRenewal() {
  const queries = useQueryClient()
  const show = ({ domain, auto_renew }: Renewal) =>
    queries.setQueryData<DomainListEntry[]>(domainsKey, (list) =>
      list?.map((one) => (one.domain === domain ? { ...one, auto_renew } : one)),
    )
  return useMutation({
    mutationFn: ({ domain, auto_renew }: Renewal) =>
      answerOf(updateDomain({ path: { domain }, body: { auto_renew } })),
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey: domainsKey })
      show(change)
    },
    onError: (_error, change) => show({ ...change, auto_renew: !change.auto_renew }),
  })
}
