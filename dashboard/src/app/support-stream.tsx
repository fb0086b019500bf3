// Keeps the conversation with support current on every page: reads it once, then follows the stream
// that the browser's tabs share.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useAccount } from '../lib/account.ts'
import {
  conversationKey,
  lastEventOf,
  type Pages,
  useConversation,
  withEvent,
} from '../lib/support/conversation.ts'
import { noteLive } from '../lib/support/live-state.ts'
import { openSharedStream } from '../lib/support/shared-stream.ts'

const path = '/v1/support/events'

export default function SupportStream() {
  const queries = useQueryClient()
  const { id } = useAccount()
  const { data, isSuccess } = useConversation()
  /** The newest event that the stream has brought. */
  const streamed = useRef(0)
  const unread = data?.pages[0]?.unread ?? 0
  useEffect(() => noteLive({ unread }), [unread])
  useEffect(() => {
    const readAgain = () => void queries.invalidateQueries({ queryKey: conversationKey })
    if (!isSuccess) return
    return openSharedStream({
      name: `support-events:${id}`,
      path,
      after: lastEventOf(queries.getQueryData<Pages>(conversationKey)),
      onEvent: (event) => {
        streamed.current = event.id
        queries.setQueryData<Pages>(conversationKey, (pages) => pages && withEvent(pages, event))
      },
      onState: (isConnected) => noteLive({ isConnected }),
      onBehind: readAgain,
      // This read finds out whether the session has ended.
      onRefused: readAgain,
    })
  }, [queries, id, isSuccess])
  useEffect(() => {
    // The response to an earlier request for the list has overwritten the event.
    if (data && lastEventOf(data) < streamed.current)
      void queries.invalidateQueries({ queryKey: conversationKey })
  }, [queries, data])
  return null
}
