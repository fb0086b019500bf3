// A list of the operators' work: one card for each item, read page by page, and the dialog for the
// decision about an item, after which the list is read again.
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { operatorTexts } from '../../messages/operator/operator-texts.ts'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { EmptyState } from '../empty-state.tsx'
import { ErrorNotice } from '../notice.tsx'
import { PageHeader } from '../page-header.tsx'
import { Skeleton } from '../skeleton.tsx'
import { type Asked, DecisionDialog } from './decision-dialog.tsx'
import { Facts } from './facts.tsx'
import { RefreshButton } from './refresh-button.tsx'

type Page<Item> = { items: readonly Item[]; next_cursor: string | null }

type Items<Item> = {
  empty: { title: string; text: string }
  queryKey: string
  read: (query: { cursor?: string }) => Promise<Page<Item>>
  keyOf: (item: Item) => string
  /** Renders one item; `onAsk` opens the dialog for its decision. */
  children: (item: Item, onAsk: (asked: Asked) => void) => ReactNode
}

const firstPage: { cursor?: string } = {}

function useItems<Item>({ queryKey, read }: Pick<Items<Item>, 'queryKey' | 'read'>) {
  return useInfiniteQuery({
    queryKey: [queryKey],
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: firstPage,
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? null : { cursor: next_cursor }),
  })
}

type PageProps<Item> = Items<Item> & { title: string; subtitle: string }

export function WorkList<Item>({ title, subtitle, ...items }: PageProps<Item>) {
  const query = useItems(items)
  return (
    <>
      <PageHeader title={title} subtitle={subtitle} actions={<RefreshButton query={query} />} />
      <ItemList {...items} query={query} />
    </>
  )
}

type TabProps<Item> = Items<Item> & { text: string }

/** One of several lists on a page. */
export function WorkTab<Item>({ text, ...items }: TabProps<Item>) {
  const query = useItems(items)
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-muted">{text}</p>
        <RefreshButton query={query} />
      </div>
      <ItemList {...items} query={query} />
    </>
  )
}

type ListProps<Item> = Items<Item> & { query: ReturnType<typeof useItems<Item>> }

function ItemList<Item>({ empty, queryKey, keyOf, children, query }: ListProps<Item>) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <>
      {query.isPending && <Skeleton lines={6} />}
      {query.isError && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {items?.length === 0 && <EmptyState icon="check" {...empty} />}
      <ul className="flex flex-col gap-4">
        {items?.map((item) => (
          <li key={keyOf(item)}>{children(item, setAsked)}</li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          className="mt-4"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {operatorTexts.more}
        </Button>
      )}
      {asked && (
        <DecisionDialog asked={asked} stale={[[queryKey]]} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

type WorkCardProps = {
  title: ReactNode
  badges?: ReactNode
  /** The reason why the item needs an operator. */
  problem?: string | null
  actions?: ReactNode
  facts: Parameters<typeof Facts>[0]['facts']
}

export function WorkCard({ title, badges, problem, actions, facts }: WorkCardProps) {
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-5">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-semibold break-all">{title}</span>
            {badges}
          </p>
          {problem && <p className="mt-1 text-sm break-words text-bad">{problem}</p>}
        </div>
        {actions && <div className="flex gap-2">{actions}</div>}
      </div>
      <Facts facts={facts} />
    </Card>
  )
}
