// Requests that wait for the owner: their number is shown in the navigation and on Home.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ApprovalResponse, listApprovals } from 'sdk'
import { answerOf } from '../api.ts'

/** Answers to requests invalidate all keys that begin with it. */
export const approvalsKey = ['approvals'] as const

/** After an answer. */
export function useApprovalsChanged(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: approvalsKey })
}

const watch_ms = 30_000
const most_counted = 100

/** The newest hundred; undefined until they are known. */
export function usePendingList(): readonly ApprovalResponse[] | undefined {
  const { data } = useQuery({
    queryKey: [...approvalsKey, 'pending'],
    queryFn: async () => {
      const query = { state: 'pending' as const, limit: most_counted }
      return (await answerOf(listApprovals({ query }))).approvals
    },
    refetchInterval: watch_ms,
  })
  return data
}

/** Undefined until it is known; at most a hundred are counted. */
export function usePendingApprovals(): number | undefined {
  return usePendingList()?.length
}
