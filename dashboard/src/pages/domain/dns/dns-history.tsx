// The changes of a domain's records, newest first, each with a button that undoes it.
import { useState } from 'react'
import type { DnsChange } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { PartPlace } from '../../../components/part-place.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { useChanges } from '../../../lib/dns/record-queries.ts'
import { formatAgo, formatMoment } from '../../../lib/format.ts'
import { earlyPart } from '../../../lib/parts/lazy-part.ts'
import { useServiceUrls } from '../../../lib/sign-in/service-facts.ts'
import { dnsHistoryTexts as texts } from '../../../messages/dns/history-texts.ts'
import { makerOf } from './maker.ts'
import { RecordDifference } from './record-difference.tsx'

const UndoDialog = earlyPart(() => import('./undo-dialog.tsx'))

export default function DnsHistory({ domain }: { domain: string }) {
  const [undone, undo] = useState<DnsChange | null>(null)
  const { base_url } = useServiceUrls()
  const changes = useChanges(domain)
  const { data, isPending, isError, error, hasNextPage } = changes
  if (isPending) return <Skeleton lines={6} />
  if (isError && !data) return <ErrorNotice error={error} onRetry={() => void changes.refetch()} />
  const list = data.pages.flatMap((page) => page.changes)
  if (list.length === 0) {
    const curl = `curl ${base_url}/v1/domains/${domain}/changes \\
  -H "Authorization: Bearer $API_KEY"`
    return <EmptyState icon="history" title={texts.none} text={texts.noneText} curl={curl} />
  }
  return (
    <div className="flex max-w-4xl flex-col items-start gap-4">
      <ul
        aria-label={texts.list}
        className="w-full divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-card"
      >
        {list.map((change) => (
          <Change key={change.id} change={change} onUndo={() => undo(change)} />
        ))}
      </ul>
      {hasNextPage && (
        <Button busy={changes.isFetchingNextPage} onClick={() => void changes.fetchNextPage()}>
          {texts.more}
        </Button>
      )}
      {undone && (
        <PartPlace>
          <UndoDialog domain={domain} change={undone} onClose={() => undo(null)} />
        </PartPlace>
      )}
    </div>
  )
}

function Change({ change, onUndo }: { change: DnsChange; onUndo: () => void }) {
  const { created_at, diff, sets_total, reverts } = change
  const moment = formatMoment(created_at)
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <div className="flex items-start justify-between gap-4">
        <p className="min-w-0">
          <bdi className="font-medium break-words">{makerOf(change)}</bdi>{' '}
          {reverts === null ? texts.changed(sets_total) : texts.undid}
          <time dateTime={created_at} title={moment} className="block text-sm text-muted">
            {formatAgo(created_at)}
          </time>
        </p>
        <Button size="sm" aria-label={texts.undoOf(moment)} onClick={onUndo}>
          {texts.undo}
        </Button>
      </div>
      <RecordDifference diff={diff} total={sets_total} />
    </li>
  )
}
