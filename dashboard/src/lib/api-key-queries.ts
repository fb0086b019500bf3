// API keys of the account: their list, and the changes to it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type CreateApiKeyData,
  createApiKey,
  listApiKeys,
  listOauthGrants,
  revokeApiKey,
  rotateApiKey,
} from 'sdk'
import { useAccount } from './account.ts'
import { answerOf } from './api.ts'

export const apiKeysKey = ['api-keys'] as const

export function useApiKeys(enabled = true) {
  const { id: customer_id } = useAccount()
  return useQuery({
    queryKey: apiKeysKey,
    queryFn: () => answerOf(listApiKeys({ path: { customer_id } })),
    enabled,
  })
}

/** The first page of connected apps, whose limits also hold for the keys that they made. */
export function useFirstGrants(enabled: boolean) {
  return useQuery({
    queryKey: ['oauth-grants', 'first'],
    queryFn: () => answerOf(listOauthGrants()),
    enabled,
  })
}

type Confirmed = <T>(work: () => Promise<T>) => Promise<T>

/**
 * No change is shown before it is done, because a key that is shown as revoked has to be revoked.
 * `confirmed` asks for a fresh log-in if the service wants one.
 */
export function useKeyChanges(confirmed: Confirmed) {
  const { id: customer_id } = useAccount()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: apiKeysKey })
  const pathOf = (api_key_id: number) => ({ path: { customer_id, api_key_id } })
  return {
    create: useMutation({
      mutationFn: (body: NonNullable<CreateApiKeyData['body']>) =>
        confirmed(() => answerOf(createApiKey({ path: { customer_id }, body }))),
      onSuccess,
    }),
    rotate: useMutation({
      mutationFn: (id: number) =>
        confirmed(() => answerOf(rotateApiKey({ ...pathOf(id), body: {} }))),
      onSuccess,
    }),
    revoke: useMutation({
      mutationFn: (id: number) => answerOf(revokeApiKey(pathOf(id))),
      onSuccess,
    }),
  }
}
