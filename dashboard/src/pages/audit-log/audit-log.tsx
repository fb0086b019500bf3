// Audit log: sentences by day, newest first, with filters in the URL.
import { Link, useSearchParams } from 'wouter'
import { AuditDays } from '../../components/audit/audit-days.tsx'
import { useAuditLog, withoutPlacements } from '../../components/audit/audit-entries.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Select } from '../../components/forms/select.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useAccount } from '../../lib/account.ts'
import { routes } from '../../lib/routes.ts'
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { auditTexts as texts } from '../../messages/audit-log.ts'

const page_size = 100
const sources = [
  { value: '', label: texts.filters.any },
  ...Object.entries(texts.entryPoints).map(([value, label]) => ({ value, label })),
]
const actions = [
  { value: '', label: texts.filters.anyAction },
  ...texts.actions.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]

export default function AuditLogPage() {
  const [search, setSearch] = useSearchParams()
  const entry_point = search.get('entry_point') ?? ''
  const action = search.get('action') ?? ''
  const query = useAuditLog({
    limit: page_size,
    ...(entry_point && { entry_point }),
    ...(action && { action }),
  })
  const set = (name: string, value: string) =>
    setSearch(
      (old) => {
        const next = new URLSearchParams(old)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const { hasNextPage, isFetchingNextPage } = query
  const entries = query.data?.pages.flatMap(({ audit_logs }) => audit_logs)
  const shown = entries && withoutPlacements(entries)
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <search className="mb-4 flex flex-wrap gap-2">
        <Select
          label={texts.filters.by}
          value={entry_point}
          options={sources}
          onChange={(value) => set('entry_point', value)}
        />
        <Select
          label={texts.filters.action}
          value={action}
          options={actions}
          onChange={(value) => set('action', value)}
        />
      </search>
      {query.isPending && <Skeleton lines={10} />}
      {query.isError && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {shown?.length === 0 && (
        <Nothing
          isFiltered={entry_point !== '' || action !== ''}
          onClear={() => setSearch({}, { replace: true })}
        />
      )}
      {shown && <AuditDays entries={shown} />}
      <div className="mt-4 flex items-center justify-center gap-3">
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {isFetchingNextPage ? texts.loading : texts.more}
          </Button>
        )}
        {shown && shown.length > 0 && (
          <p role="status" className="text-sm text-muted">
            {texts.shown(shown.length)}
          </p>
        )}
      </div>
    </>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { base_url } = useServiceUrls()
  const { id } = useAccount()
  const curl = `curl ${base_url}/v1/customers/${id}/audit-logs \\
  -H "Authorization: Bearer $API_KEY"`
  if (isFiltered)
    return (
      <EmptyState
        icon="search"
        {...texts.nothing}
        action={<Button onClick={onClear}>{texts.clear}</Button>}
      />
    )
  const connect = (
    <Link href={routes.connect} className={buttonClass()}>
      {texts.connect}
    </Link>
  )
  return <EmptyState icon="history" {...texts.empty} action={connect} curl={curl} />
}
