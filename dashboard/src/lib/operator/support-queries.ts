// Conversations of support for operators. The lists are polled, but a conversation is read only
// when they show that it has changed, because each read of it is in the customer's audit log.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SupportThread } from 'sdk'
import { listSupportThreads, readSupportThread } from 'sdk-of-operators'
import { answerOf } from '../api.ts'
import { useAttended } from './use-attended.ts'

type State = 'waiting' | 'answered'

const refresh_ms = 10_000
const threadsKey = ['support-threads'] as const
export const threadKey = (customer_id: string) => ['support-thread', customer_id] as const
const firstPage: { cursor?: string } = {}
const nextOf = ({ next_cursor }: { next_cursor: string | null }) =>
  next_cursor === null ? null : { cursor: next_cursor }

export function useThreads(state: State) {
  const isAttended = useAttended()
  return useInfiniteQuery({
    queryKey: [...threadsKey, state],
    queryFn: ({ pageParam }) =>
      answerOf(listSupportThreads({ query: { state, limit: 50, ...pageParam } })),
    initialPageParam: firstPage,
    getNextPageParam: nextOf,
    refetchInterval: isAttended && refresh_ms,
  })
}

export type Threads = ReturnType<typeof useThreads>

export function threadsOf({ data }: Threads): readonly SupportThread[] {
  return data?.pages.flatMap(({ threads }) => threads) ?? []
}

/** Returns a function to call after a reply or a mark, since the lists have changed. */
export function useThreadsChanged() {
  const queries = useQueryClient()
  return (customer_id: string) =>
    Promise.all(
      [threadsKey, threadKey(customer_id)].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
}

type Shown = { customer_id: string; thread: SupportThread | undefined; shown_at: number }

/** `thread` is the conversation as a list showed it at `shown_at`; undefined if no list has it. */
export function useThread({ customer_id, thread, shown_at }: Shown) {
  const query = useInfiniteQuery({
    queryKey: threadKey(customer_id),
    queryFn: ({ pageParam }) =>
      answerOf(readSupportThread({ path: { customer_id }, query: { limit: 50, ...pageParam } })),
    initialPageParam: firstPage,
    getNextPageParam: nextOf,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data, dataUpdatedAt, refetch } = query
  const [first] = data?.pages ?? []
  const newest = first?.messages[0]
  const isOutdated =
    thread !== undefined &&
    first !== undefined &&
    shown_at > dataUpdatedAt &&
    (thread.last_message.id !== newest?.id ||
      thread.last_message.read_at !== newest.read_at ||
      thread.unread !== first.unread)
  useEffect(() => {
    if (isOutdated) void refetch()
  }, [isOutdated, refetch])
  return query
}
