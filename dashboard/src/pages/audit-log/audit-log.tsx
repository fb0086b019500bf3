// Audit log: sentences by day, newest first, with filters in the URL.
import { Link } from 'wouter'
import { AuditDays } from '../../components/audit/audit-days.tsx'
import { useSearchedAuditLog, withoutPlacements } from '../../components/audit/audit-entries.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { inputClass } from '../../components/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useAccount } from '../../lib/account.ts'
import { routes } from '../../lib/routes.ts'
import { useIsSandbox, useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { auditTexts as texts } from '../../messages/audit/audit-texts.ts'
import { ExportButton } from './export.tsx'
import { queryOf, useActors, useFilters } from './filters.ts'
import { ProofButton } from './proof-dialog.tsx'

const page_size = 100
const sources = [
  { value: '', label: texts.filters.any },
  ...Object.entries(texts.entryPoints).map(([value, label]) => ({ value, label })),
]

export default function AuditLogPage() {
  const shownBy = useFilters()
  const { filters, isFiltered, clear } = shownBy
  const query = useSearchedAuditLog(queryOf(filters, page_size))
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage, isSearching } = query
  const entries = query.data?.pages.flatMap(({ audit_logs }) => audit_logs)
  const shown = entries && withoutPlacements(entries)
  return (
    <>
      <PageHeader
        title={texts.title}
        subtitle={texts.subtitle}
        actions={
          <>
            <ProofButton />
            <ExportButton filters={filters} />
          </>
        }
      />
      <FilterBar {...shownBy} />
      {(query.isPending || isSearching) && <Skeleton lines={10} />}
      {isError && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {shown?.length === 0 && !hasNextPage && <Nothing isFiltered={isFiltered} onClear={clear} />}
      {shown && <AuditDays entries={shown} />}
      <div className="mt-4 flex items-center justify-center gap-3">
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
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

function FilterBar({ filters, set }: Pick<ReturnType<typeof useFilters>, 'filters' | 'set'>) {
  const actors = useActors(filters.actor)
  const isSandbox = useIsSandbox()
  const actions = [{ value: '', label: texts.filters.anyAction }, ...texts.actionOptions(isSandbox)]
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2">
      <Select
        label={texts.filters.actor}
        value={filters.actor}
        options={actors}
        onChange={(value) => set('actor', value)}
      />
      <Select
        label={texts.filters.action}
        value={filters.action}
        options={actions}
        onChange={(value) => set('action', value)}
      />
      <Select
        label={texts.filters.by}
        value={filters.entry_point}
        options={sources}
        onChange={(value) => set('entry_point', value)}
      />
      <span className="flex gap-2 max-sm:w-full max-sm:flex-col">
        {(['from', 'to'] as const).map((name) => (
          <label key={name} className="flex items-center gap-2 text-muted max-sm:w-full">
            <span className="max-sm:w-12">{texts.filters[name]}</span>
            <input
              type="date"
              value={filters[name]}
              onChange={(event) => set(name, event.currentTarget.value)}
              className={inputClass}
            />
          </label>
        ))}
      </span>
    </search>
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
