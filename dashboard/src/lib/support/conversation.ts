// The messages of the conversation from the list and the stream: one query of pages, newest first,
// which events change.
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { listSupportMessages, type SupportMessageResponse, type SupportMessagesResponse } from 'sdk'
import { answerOf } from '../api.ts'
import type { StreamEvent } from './shared-stream.ts'

export const conversationKey = ['support-messages'] as const
const firstPage: { cursor?: string } = {}
const page = 50

export type Pages = InfiniteData<SupportMessagesResponse, unknown>

export function useConversation() {
  return useInfiniteQuery({
    queryKey: conversationKey,
    queryFn: ({ pageParam }) =>
      answerOf(listSupportMessages({ query: { limit: page, ...pageParam } })),
    initialPageParam: firstPage,
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? null : { cursor: next_cursor }),
    // No polling is needed, since the stream keeps the query current.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

type PagesOf<M> = { pages: readonly { messages: readonly M[] }[] }

/** The messages of all pages, newest first. */
export function messagesOf<M extends SupportMessageResponse>(
  pages: PagesOf<M> | undefined,
): readonly M[] {
  return pages?.pages.flatMap(({ messages }) => messages) ?? []
}

export function withMessage(pages: Pages, message: SupportMessageResponse): Pages {
  const [first, ...older] = pages.pages
  if (!first || messagesOf(pages).some(({ id }) => id === message.id)) return pages
  return {
    ...pages,
    pages: counted([{ ...first, messages: [message, ...first.messages] }, ...older]),
  }
}

type Read = { reader: string; up_to: string; read_at: string }

/** Marks the messages of the other side up to `up_to` as read. */
export function withRead(pages: Pages, { reader, up_to, read_at }: Read): Pages {
  const newest = messagesOf(pages).findIndex(({ id }) => id === up_to)
  let at = -1
  const marked = pages.pages.map((one) => ({
    ...one,
    messages: one.messages.map((message) => {
      at += 1
      const isTheirs = (message.sender === 'customer') === (reader === 'operator')
      const isRead = newest >= 0 && at >= newest && isTheirs
      return isRead && message.read_at === null ? { ...message, read_at } : message
    }),
  }))
  return { ...pages, pages: counted(marked) }
}

/** Counts the unread messages among the loaded ones, since older ones are rarely unread. */
function counted(pages: SupportMessagesResponse[]): SupportMessagesResponse[] {
  const unread = pages
    .flatMap(({ messages }) => messages)
    .filter(({ sender, read_at }) => sender !== 'customer' && read_at === null).length
  return pages.map((one) => ({ ...one, unread }))
}

/** The pages after an event. */
export function withEvent(pages: Pages, { id, event, data }: StreamEvent): Pages {
  const facts = JSON.parse(data)
  const changed = event === 'message' ? withMessage(pages, facts) : withRead(pages, facts)
  const last_event_id = String(id)
  return { ...changed, pages: changed.pages.map((one) => ({ ...one, last_event_id })) }
}

/** The newest event that the pages contain. */
export function lastEventOf(pages: Pages | undefined): number {
  return Number(pages?.pages[0]?.last_event_id ?? 0)
}
