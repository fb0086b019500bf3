// Requests that wait for the owner: their number is shown in the navigation and on Home.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ApprovalResponse, listApprovals } from 'sdk'
import { answerOf } from '../api.ts'

/** An answer to a request invalidates all query keys that begin with this one. */
export const approvalsKey = ['approvals'] as const

/** Returns a function to call after an answer. */
export function useApprovalsChanged(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: approvalsKey })
}

const watch_ms = 30_000
const most_counted = 100

/** The newest hundred requests that wait; undefined until they are known. */
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

/** The number of requests that wait, at most a hundred; undefined until it is known. */
export function usePendingApprovals(): number | undefined {
  return usePendingList()?.length
}
