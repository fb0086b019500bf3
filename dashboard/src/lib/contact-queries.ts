// Contacts of the account, and the countries and states that their addresses may name.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type CreateContactData,
  createContact,
  listContactCountries,
  listContactStates,
  listContacts,
} from 'sdk'
import { useAccount } from './account.ts'
import { answerOf } from './api.ts'
import { useDomains } from './domains/domain-queries.ts'

export type ContactFields = CreateContactData['body']

export const contactsKey = ['contacts'] as const
const never_stale = Number.POSITIVE_INFINITY

/** The first contact of an account has all four roles. */
export const allDefaults = {
  default_registrant: true,
  default_admin: true,
  default_technical: true,
  default_billing: true,
}

export function useContacts() {
  const { id: customer_id } = useAccount()
  return useQuery({
    queryKey: contactsKey,
    queryFn: () => answerOf(listContacts({ path: { customer_id } })),
  })
}

/** Names of the domains that use a contact, by its id. */
export function useContactUses(): ReadonlyMap<number, readonly string[]> | undefined {
  const domains = useDomains().data
  if (domains === undefined) return undefined
  const uses = new Map<number, string[]>()
  for (const { contacts, domain_unicode, status } of domains) {
    if (status === 'failed' || status === 'transferred_away') continue
    for (const id of new Set(Object.values(contacts)))
      uses.set(id, [...(uses.get(id) ?? []), domain_unicode])
  }
  return uses
}

export function useCreateContact() {
  const { id: customer_id } = useAccount()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: ContactFields) => answerOf(createContact({ path: { customer_id }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: contactsKey }),
  })
}

export function useCountries() {
  return useQuery({
    queryKey: ['contact-countries'],
    queryFn: async () => {
      const all = await answerOf(listContactCountries())
      return all.toSorted((a, b) => String(a.name).localeCompare(String(b.name)))
    },
    staleTime: never_stale,
  })
}

/** The states of a country; an empty list while no country is chosen. */
export function useStates(country: string) {
  return useQuery({
    queryKey: ['contact-states', country],
    queryFn: () => answerOf(listContactStates({ query: { country } })),
    enabled: country !== '',
    staleTime: never_stale,
  })
}
