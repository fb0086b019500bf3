// The present limits of a key or an app that asks, from the lists of both.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ApiKeyResponse, ApprovalResponse, OAuthGrantResponse } from 'sdk'
import { apiKeysKey, useApiKeys, useFirstGrants } from '../../lib/api-key-queries.ts'
import {
  type ApprovalObstacle,
  approvalObstacle,
  type Holder,
} from '../../lib/limits/approval-obstacles.ts'
import { ancestorsOf } from '../../lib/limits/inherited.ts'
import { useBalances } from '../../lib/money/balance-queries.ts'
import { apiKeyTexts } from '../../messages/api-key-texts.ts'
import { connectedAppTexts } from '../../messages/connected-app-texts.ts'

type Asker = ApprovalResponse['asked_by']
/** The obstacle of these requests together, or null if they can be approved as far as is known. */
export type ObstacleOf = (approvals: readonly ApprovalResponse[]) => ApprovalObstacle | null

const none: never[] = []

/**
 * Obstacles of several purchases: the limits of each key or app, and the balance for all together.
 */
export function useObstacles(list: readonly ApprovalResponse[]): ObstacleOf {
  const isNeeded = list.some(({ state }) => state === 'pending')
  useFreshLimits(list.filter(({ state }) => state === 'executed').length)
  const keys = useApiKeys(isNeeded).data ?? none
  const grants = useFirstGrants(isNeeded).data?.oauth_grants ?? none
  const balances = useBalances().data
  return (approvals) => {
    const paid = approvals.filter(({ highest_price }) => highest_price !== null)
    for (const group of Map.groupBy(paid, groupOf).values()) {
      const [first] = group
      if (first === undefined) continue
      const prices = pricesOf(group)
      const holders = holdersOf(first.asked_by, { keys, grants })
      const found = approvalObstacle({ prices, holders, available: undefined })
      if (found !== null) return found
    }
    for (const [currency, group] of Map.groupBy(paid, currencyOf)) {
      const available =
        balances && (balances.find((one) => one.currency === currency)?.available ?? '0.00')
      const found = approvalObstacle({ prices: pricesOf(group), holders: none, available })
      if (found !== null) return found
    }
    return null
  }
}

/** Reads limits and balance again after a purchase was made, since it draws on both. */
function useFreshLimits(executed: number): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (executed === 0) return
    for (const key of [apiKeysKey, ['oauth-grants'], ['balance']])
      void queries.invalidateQueries({ queryKey: key })
  }, [executed, queries])
}

const currencyOf = ({ highest_price }: ApprovalResponse) => highest_price?.currency ?? ''
const groupOf = ({ asked_by, ...approval }: ApprovalResponse) =>
  `${asked_by.of} ${asked_by.id} ${currencyOf({ asked_by, ...approval })}`
const pricesOf = (group: readonly ApprovalResponse[]) =>
  group.flatMap(({ highest_price }) => (highest_price === null ? [] : [highest_price]))

type Makers = { keys: readonly ApiKeyResponse[]; grants: readonly OAuthGrantResponse[] }

/** The keys and the app whose limits hold for the asker, itself first. */
function holdersOf({ of, id }: Asker, { keys, grants }: Makers): Holder[] {
  const key = of === 'api_key' ? keys.find((one) => String(one.id) === id) : undefined
  const grant_id = of === 'app' ? id : key?.oauth_grant_id
  const grant = grants.find((one) => one.id === grant_id)
  return [
    ...(key ? [key, ...ancestorsOf(key, keys)] : []).map((one) => ({
      of: 'api_key' as const,
      id: String(one.id),
      name: one.name?.trim() || apiKeyTexts.unnamed,
      limits: one,
    })),
    ...(grant
      ? [
          {
            of: 'app' as const,
            id: grant.id,
            name: grant.client_name.trim() || connectedAppTexts.unnamed,
            limits: grant,
          },
        ]
      : []),
  ]
}
