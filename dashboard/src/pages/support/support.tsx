// Support: the conversation with the operators, live, and a composer.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { markSupportMessagesRead } from 'sdk'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import {
  conversationKey,
  messagesOf,
  type Pages,
  useConversation,
  withRead,
} from '../../lib/support/conversation.ts'
import { useIsConnected } from '../../lib/support/live-state.ts'
import { useOutgoing, withoutOutgoing } from '../../lib/support/use-outgoing.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { supportTexts as texts } from '../../messages/support/support-texts.ts'
import { Composer } from './composer.tsx'
import { MessageList } from './message-list.tsx'

const notice_ms = 3_000

export default function SupportPage() {
  const conversation = useConversation()
  const { outgoing, send, retry, discard } = useOutgoing()
  const messages = messagesOf(conversation.data)
  const shown = withoutOutgoing(messages, outgoing).toReversed()
  const isEmpty = conversation.isSuccess && shown.length === 0 && outgoing.length === 0
  useMarkRead(conversation.data)
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <section
        aria-label={texts.conversation}
        className="flex h-[calc(100dvh-17rem-var(--band))] min-h-80 flex-col rounded-xl border border-line bg-surface shadow-card md:h-[calc(100dvh-13.5rem-var(--band))]"
      >
        {conversation.isPending && <Skeleton lines={4} />}
        {conversation.isError && (
          <div className="p-4">
            <ErrorNotice error={conversation.error} onRetry={() => void conversation.refetch()} />
          </div>
        )}
        {isEmpty && (
          <div className="flex min-h-0 grow overflow-y-auto">
            <div className="m-auto max-w-full min-w-0">
              <EmptyState icon="chat" {...texts.empty} curl={curlExample()} />
            </div>
          </div>
        )}
        {!isEmpty && conversation.isSuccess && (
          <MessageList
            messages={shown}
            outgoing={outgoing}
            older={
              conversation.hasNextPage
                ? {
                    isBusy: conversation.isFetchingNextPage,
                    show: () => void conversation.fetchNextPage(),
                  }
                : null
            }
            onRetry={retry}
            onDiscard={discard}
          />
        )}
        <Connection />
        <Composer onSend={send} />
      </section>
    </>
  )
}

function curlExample(): string {
  return [
    `curl ${location.origin}/v1/support/messages \\`,
    '  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\',
    `  -d '{"body": "Can you look at my transfer?"}'`,
  ].join('\n')
}

/** Notice about a lost connection, shown after a while, since most connections return soon. */
function Connection() {
  return useIsConnected() ? null : <Reconnecting />
}

function Reconnecting() {
  if (!useDelayed(notice_ms)) return null
  return (
    <p role="status" className="border-t border-line bg-warn-soft px-4 py-2 text-sm text-warn">
      {texts.reconnecting}
    </p>
  )
}

/**
 * Marks messages as read while the page is visible. A message that comes meanwhile stays unread.
 */
function useMarkRead(pages: Pages | undefined): void {
  const queries = useQueryClient()
  const unread = pages?.pages[0]?.unread ?? 0
  const up_to = messagesOf(pages).find(({ sender }) => sender !== 'customer')?.id
  useEffect(() => {
    if (unread === 0 || up_to === undefined) return
    const mark = () => {
      if (document.hidden) return
      // A failed request is repeated when the page is next visible, or with the next message.
      answerOf(markSupportMessagesRead({ body: { up_to } })).then(
        () => {
          const read = { reader: 'customer', up_to, read_at: new Date().toISOString() }
          queries.setQueryData<Pages>(conversationKey, (all) => all && withRead(all, read))
        },
        () => undefined,
      )
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [queries, unread, up_to])
}
