// Support: the conversations that wait for an operator, then the others, and beside them the
// selected one.
import { useState } from 'react'
import type { SupportThread } from 'sdk'
import { Link, useParams } from 'wouter'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { formatAgo } from '../../lib/format.ts'
import { operatorRoutes, threadPath } from '../../lib/operator/operator-routes.ts'
import { type Threads, threadsOf, useThreads } from '../../lib/operator/support-queries.ts'
import { operatorSupportTexts as texts } from '../../messages/operator/operator-support-texts.ts'
import { operatorTexts } from '../../messages/operator/operator-texts.ts'
import { Conversation } from './support-conversation.tsx'

export default function SupportPage() {
  const { customer_id } = useParams()
  const [waiting, answered] = [useThreads('waiting'), useThreads('answered')]
  const [tab, setTab] = useState('waiting')
  const lists = [waiting, answered].map((list) => ({ list, threads: threadsOf(list) }))
  const shown = lists.find(({ threads }) => threads.some((one) => one.customer_id === customer_id))
  const tabs = [
    { value: 'waiting', list: waiting, empty: texts.empty.waiting },
    { value: 'answered', list: answered, empty: texts.empty.answered },
  ] as const
  return (
    <>
      <PageHeader
        title={texts.title}
        subtitle={
          <span className={customer_id === undefined ? '' : 'max-lg:hidden'}>{texts.subtitle}</span>
        }
      />
      <div className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div className={`min-w-0 ${customer_id === undefined ? '' : 'max-lg:hidden'}`}>
          <Tabs
            label={texts.lists}
            value={tab}
            onChange={setTab}
            tabs={tabs.map(({ value, list, empty }) => ({
              value,
              label: texts[value],
              content: <ThreadList list={list} empty={empty} open={customer_id} />,
            }))}
          />
        </div>
        {customer_id === undefined ? (
          <div className="max-lg:hidden">
            <EmptyState icon="chat" {...texts.choose} />
          </div>
        ) : (
          <div className="min-w-0">
            <p className="mb-2 text-sm lg:hidden">
              <Link href={operatorRoutes.support} className="text-accent-ink hover:underline">
                ← {texts.back}
              </Link>
            </p>
            <Conversation
              key={customer_id}
              customer_id={customer_id}
              thread={shown?.threads.find((one) => one.customer_id === customer_id)}
              shown_at={shown?.list.dataUpdatedAt ?? 0}
            />
          </div>
        )}
      </div>
    </>
  )
}

type ListProps = {
  list: Threads
  empty: { title: string; text: string }
  open: string | undefined
}

function ThreadList({ list, empty, open }: ListProps) {
  const threads = threadsOf(list)
  return (
    <>
      {list.isPending && <Skeleton lines={4} />}
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && threads.length === 0 && <EmptyState icon="check" {...empty} />}
      {threads.length > 0 && (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface shadow-card">
          {threads.map((thread) => (
            <ThreadItem
              key={thread.customer_id}
              thread={thread}
              isOpen={thread.customer_id === open}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button
          className="mt-3"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {operatorTexts.more}
        </Button>
      )}
    </>
  )
}

function ThreadItem({ thread, isOpen }: { thread: SupportThread; isOpen: boolean }) {
  const { customer_id, name, unread, waiting_since, last_message } = thread
  return (
    <li className="group">
      <Link
        href={threadPath(customer_id)}
        aria-current={isOpen ? 'page' : undefined}
        className="block px-4 py-3 group-first:rounded-t-xl group-last:rounded-b-xl hover:bg-sunken aria-[current]:bg-accent-soft"
      >
        <span className="flex items-center justify-between gap-3">
          <span className="min-w-0 truncate font-medium">{name}</span>
          {unread > 0 && <Badge tone="warn">{texts.unread(unread)}</Badge>}
        </span>
        <span className="block truncate text-sm">
          {texts.by[last_message.sender]}
          <bdi>{last_message.body}</bdi>
        </span>
        <span className="block text-sm text-muted">
          {waiting_since === null
            ? texts.last(formatAgo(last_message.created_at))
            : texts.waits(formatAgo(waiting_since))}
        </span>
      </Link>
    </li>
  )
}
