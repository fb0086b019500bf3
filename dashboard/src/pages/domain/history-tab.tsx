// History of one domain: its audit log as sentences, by day.
import { useInfiniteQuery } from '@tanstack/react-query'
import { type AuditLogResponse, listDomainAuditLogs } from 'sdk'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { historyKey } from '../../lib/domain-queries.ts'
import { formatDay } from '../../lib/format.ts'
import { domainPageTexts } from '../../messages/domain.ts'

const texts = domainPageTexts.history
const page_size = 50

export default function HistoryTab({ domain }: { domain: string }) {
  const history = useInfiniteQuery({
    queryKey: historyKey(domain),
    initialPageParam: '',
    queryFn: ({ pageParam }) => {
      const cursor = pageParam === '' ? {} : { cursor: pageParam }
      return answerOf(listDomainAuditLogs({ query: { domain, limit: page_size, ...cursor } }))
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  const { data, isPending, isError, error, hasNextPage } = history
  if (isPending) return <Skeleton lines={6} />
  if (isError) return <ErrorNotice error={error} onRetry={() => void history.refetch()} />
  const rows = data.pages.flatMap(({ audit_logs }) => audit_logs)
  if (rows.length === 0)
    return <EmptyState icon="history" title={texts.none} text={texts.noneText} />
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      {byDay(rows).map(({ day, entries }) => (
        <Card key={day} title={day}>
          <ul className="divide-y divide-line">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        </Card>
      ))}
      {hasNextPage && (
        <Button
          className="self-start"
          busy={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
    </div>
  )
}

type Day = { day: string; entries: AuditLogResponse[] }

function byDay(rows: readonly AuditLogResponse[]): Day[] {
  const days = Map.groupBy(rows, ({ created_at }) => formatDay(created_at))
  return [...days].map(([day, entries]) => ({ day, entries }))
}

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

function Entry({ entry }: { entry: AuditLogResponse }) {
  const { created_at, action } = entry
  const done = Object.entries(texts.actions).find(([name]) => name === action)?.[1]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5">
      <time dateTime={created_at} className="w-18 shrink-0 text-sm text-muted tabular-nums">
        {timeFormat.format(new Date(created_at))}
      </time>
      <span className="min-w-0 grow">
        <span className="font-medium">{actorOf(entry)}</span> {done ?? texts.other(action)}
      </span>
      <Result entry={entry} />
    </li>
  )
}

function actorOf({ actor_type, actor_label, agent_identifier }: AuditLogResponse): string {
  switch (actor_type) {
    case 'customer':
      return texts.you
    case 'system':
    case 'operator':
      return texts.service
    default:
      return actor_label ?? agent_identifier
  }
}

function Result({ entry: { result, error_code } }: { entry: AuditLogResponse }) {
  const shown: readonly [Tone, string] | undefined = {
    pending: ['accent', texts.states.pending] as const,
    unknown: ['warn', texts.open] as const,
    failed: ['bad', texts.failed(error_code ?? result)] as const,
    denied: ['bad', texts.failed(error_code ?? result)] as const,
  }[result]
  return shown && <Badge tone={shown[0]}>{shown[1]}</Badge>
}
