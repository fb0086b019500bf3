// Requests of keys and apps that wait for the owner: all of them, or the one that a mail links to.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { getApproval, listApprovals } from 'sdk'
import { Link, useParams } from 'wouter'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { approvalsKey, usePendingList } from '../../lib/limits/pending-approvals.ts'
import { lazyPart } from '../../lib/parts/lazy-part.ts'
import { routes } from '../../lib/routes.ts'
import { approvalTexts as texts } from '../../messages/approvals/approval-texts.ts'
import { ApprovalItem } from './approval-item.tsx'
import { Inbox } from './inbox.tsx'
import { useObstacles } from './use-obstacles.ts'

const Settings = lazyPart(() => import('./approval-settings.tsx'))
const settingsPath = `${routes.approvals}/settings`

/**
 * The polling interval while a request is being carried out. Otherwise it is `later_ms`, since
 * others may ask or answer.
 */
const soon_ms = 1_500
const later_ms = 15_000

export default function ApprovalsPage() {
  const { id } = useParams()
  if (id === undefined) return <All />
  return `${routes.approvals}/${id}` === settingsPath ? <Settings /> : <One id={id} />
}

function One({ id }: { id: string }) {
  const approval = useQuery({
    queryKey: [...approvalsKey, id],
    queryFn: () => answerOf(getApproval({ path: { id } })),
    refetchInterval: ({ state }) => (state.data?.state === 'approved' ? soon_ms : later_ms),
  })
  const obstacleOf = useObstacles(approval.data ? [approval.data] : [])
  const all = (
    <Link href={routes.approvals} className={buttonClass()}>
      {texts.all}
    </Link>
  )
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} actions={all} />
      {approval.isPending && <Skeleton lines={6} />}
      {approval.isError && (
        <ErrorNotice error={approval.error} onRetry={() => void approval.refetch()} />
      )}
      {approval.data && (
        <ul>
          <ApprovalItem approval={approval.data} obstacleOf={obstacleOf} selection={null} />
        </ul>
      )}
    </>
  )
}

const firstPage: { cursor?: string } = {}

function All() {
  const settings = (
    <Link href={settingsPath} className={buttonClass()}>
      {texts.settings}
    </Link>
  )
  const approvals = useInfiniteQuery({
    queryKey: [...approvalsKey, 'all'],
    queryFn: ({ pageParam }) =>
      answerOf(listApprovals({ query: { state: 'all', limit: 20, ...pageParam } })),
    initialPageParam: firstPage,
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? null : { cursor: next_cursor }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.approvals.some((one) => one.state === 'approved'))
        ? soon_ms
        : later_ms,
  })
  const pending = usePendingList()
  const pages = approvals.data?.pages.flatMap((page) => page.approvals)
  // A request that waits may be older than the pages that were read. Both lists are newest first.
  const read = new Set(pages?.map(({ id }) => id))
  const list = pages && [...pages, ...(pending ?? []).filter(({ id }) => !read.has(id))]
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} actions={settings} />
      {approvals.isPending && <Skeleton lines={6} />}
      {approvals.isError && (
        <ErrorNotice error={approvals.error} onRetry={() => void approvals.refetch()} />
      )}
      {list?.length === 0 && <EmptyState icon="key" {...texts.empty} />}
      {list && list.length > 0 && <Inbox list={list} />}
      {approvals.hasNextPage && (
        <Button
          className="mt-4"
          busy={approvals.isFetchingNextPage}
          onClick={() => void approvals.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
    </>
  )
}
