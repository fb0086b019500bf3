// One conversation with a customer: the messages with author and read state, and a form for a
// reply.
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SupportThread } from 'sdk'
import { markSupportThreadRead, sendSupportReply } from 'sdk-of-operators'
import { Link } from 'wouter'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { customerPath } from '../../lib/operator/operator-routes.ts'
import { threadKey, useThread, useThreadsChanged } from '../../lib/operator/support-queries.ts'
import { messagesOf } from '../../lib/support/conversation.ts'
import { useOutgoing, withoutOutgoing } from '../../lib/support/use-outgoing.ts'
import { showToast } from '../../lib/toasts.ts'
import { operatorSupportTexts as texts } from '../../messages/operator/operator-support-texts.ts'
import { Composer } from '../support/composer.tsx'
import { MessageList } from '../support/message-list.tsx'

type Props = { customer_id: string; thread: SupportThread | undefined; shown_at: number }

export function Conversation({ customer_id, thread, shown_at }: Props) {
  const conversation = useThread({ customer_id, thread, shown_at })
  const changed = useThreadsChanged()
  const { outgoing, send, retry, discard } = useOutgoing({
    queryKey: threadKey(customer_id),
    async post(body, key) {
      const headers = { 'Idempotency-Key': key }
      const sent = await answerOf(sendSupportReply({ body: { customer_id, body }, headers }))
      await changed(customer_id)
      return sent
    },
  })
  const messages = messagesOf(conversation.data)
  const shown = withoutOutgoing(messages, outgoing, 'operator').toReversed()
  const isEmpty = conversation.isSuccess && shown.length === 0 && outgoing.length === 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = conversation
  const older = { isBusy: isFetchingNextPage, show: () => void fetchNextPage() }
  const name = thread?.name ?? customer_id
  return (
    <section
      aria-label={name}
      className="flex h-[calc(100dvh-14rem-var(--band))] min-h-80 flex-col md:h-[calc(100dvh-13.5rem-var(--band))] rounded-xl border border-line bg-surface shadow-card"
    >
      <Head customer_id={customer_id} name={name} thread={thread}>
        <MarkRead
          customer_id={customer_id}
          unread={conversation.data?.pages[0]?.unread ?? 0}
          up_to={messages.find(({ sender }) => sender === 'customer')?.id}
        />
      </Head>
      {conversation.isPending && <Skeleton lines={4} />}
      {conversation.isError && (
        <div className="p-4">
          <ErrorNotice error={conversation.error} onRetry={() => void conversation.refetch()} />
        </div>
      )}
      {isEmpty && (
        <div className="m-auto">
          <EmptyState icon="chat" {...texts.none} />
        </div>
      )}
      {!isEmpty && conversation.isSuccess && (
        <MessageList
          messages={shown}
          outgoing={outgoing}
          side={{ own: 'operator', other: thread?.name ?? texts.customer }}
          older={hasNextPage ? older : null}
          onRetry={retry}
          onDiscard={discard}
        />
      )}
      <Composer onSend={send} />
    </section>
  )
}

type HeadProps = Pick<Props, 'customer_id' | 'thread'> & { name: string; children: ReactNode }

function Head({ customer_id, name, thread, children }: HeadProps) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3">
      <div className="min-w-0">
        <h2 className="font-semibold break-all">{name}</h2>
        {thread && <p className="text-sm text-muted break-all">{thread.email}</p>}
      </div>
      <div className="flex gap-2">
        {children}
        <Link href={customerPath(customer_id)} className={buttonClass('secondary', 'sm')}>
          {texts.profile}
        </Link>
      </div>
    </header>
  )
}

type MarkProps = { customer_id: string; unread: number; up_to: string | undefined }

/**
 * Button that marks the messages as read, as a reply does, too. A message that came meanwhile stays
 * unread.
 */
function MarkRead({ customer_id, unread, up_to }: MarkProps) {
  const changed = useThreadsChanged()
  const mark = useMutation({
    mutationFn: () =>
      answerOf(markSupportThreadRead({ body: { customer_id, ...(up_to && { up_to }) } })),
    onSuccess: () => {
      showToast({ title: texts.marked })
      return changed(customer_id)
    },
  })
  if (unread === 0) return null
  return (
    <>
      {mark.isError && <ErrorNotice error={mark.error} />}
      <Button size="sm" busy={mark.isPending} onClick={() => mark.mutate()}>
        {texts.markRead}
      </Button>
    </>
  )
}
