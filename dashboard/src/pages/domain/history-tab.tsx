// History of one domain: its part of the audit log.
import { useInfiniteQuery } from '@tanstack/react-query'
import { listDomainAuditLogs } from 'sdk'
import { AuditDays } from '../../components/audit/audit-days.tsx'
import { withoutPlacements } from '../../components/audit/audit-entries.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { historyKey } from '../../lib/domains/domain-queries.ts'
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { auditTexts } from '../../messages/audit/audit-texts.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'

const texts = domainPageTexts.history
const page_size = 50

export default function HistoryTab({ domain }: { domain: string }) {
  const { base_url } = useServiceUrls()
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
  if (isError && !data) return <ErrorNotice error={error} onRetry={() => void history.refetch()} />
  const entries = withoutPlacements(data.pages.flatMap(({ audit_logs }) => audit_logs))
  if (entries.length === 0) {
    const curl = `curl "${base_url}/v1/domain-audit-logs?domain=${domain}" \\
  -H "Authorization: Bearer $API_KEY"`
    return <EmptyState icon="history" title={texts.none} text={texts.noneText} curl={curl} />
  }
  return (
    <div className="max-w-4xl">
      <AuditDays entries={entries} />
      {hasNextPage && (
        <Button busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {auditTexts.more}
        </Button>
      )}
    </div>
  )
}
