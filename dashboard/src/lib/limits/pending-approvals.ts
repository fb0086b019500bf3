// Number of requests that wait for the owner: shown in the navigation and on Home.
import { useQuery } from '@tanstack/react-query'
import { listApprovals } from 'sdk'
import { answerOf } from '../api.ts'

/** Answers to requests invalidate all keys that begin with it. */
export const approvalsKey = ['approvals'] as const

const watch_ms = 30_000
const most_counted = 100

/** Undefined until it is known; at most a hundred are counted. */
export function usePendingApprovals(): number | undefined {
  const { data } = useQuery({
    queryKey: [...approvalsKey, 'count'],
    queryFn: async () => {
      const query = { state: 'pending' as const, limit: most_counted }
      return (await answerOf(listApprovals({ query }))).approvals.length
    },
    refetchInterval: watch_ms,
  })
  return data
}
