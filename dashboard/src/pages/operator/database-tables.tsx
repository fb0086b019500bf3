// The tables of the database that can be inspected, by name.
import { useQuery } from '@tanstack/react-query'
import type { DatabaseTables } from 'sdk'
import { listDatabaseTables } from 'sdk-of-operators'
import { Link } from 'wouter'
import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { tablePath } from '../../lib/operator/operator-routes.ts'
import { useUrlFilters } from '../../lib/url-filters.ts'
import { databaseTexts as texts } from '../../messages/operator/database-texts.ts'

export default function DatabaseTablesPage() {
  const filters = useUrlFilters()
  const filter = filters.textOf('filter')
  const tables = useQuery({
    queryKey: ['operator-tables'],
    queryFn: () => answerOf(listDatabaseTables()),
  })
  const found = tables.data?.tables.filter(({ name }) => name.includes(filter.toLowerCase()))
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <div className="mb-5 max-w-sm">
        <Field
          label={texts.filter}
          name="filter"
          type="search"
          value={filter}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => filters.set('filter', event.currentTarget.value)}
        />
      </div>
      {tables.isPending && <Skeleton lines={8} />}
      {tables.isError && <ErrorNotice error={tables.error} onRetry={() => void tables.refetch()} />}
      {found?.length === 0 && <EmptyState icon="search" {...texts.none} />}
      {tables.data && found && found.length > 0 && (
        <TableList schema={tables.data.schema} tables={found} />
      )}
    </>
  )
}

type Listed = DatabaseTables['tables'][number]
const figures = new Intl.NumberFormat()

function TableList({ schema, tables }: { schema: string; tables: readonly Listed[] }) {
  return (
    <Card>
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-b border-line text-left text-xs text-muted">
            <th scope="col" className="py-2 pl-5 font-medium">
              {texts.headers.table}
            </th>
            <th scope="col" className="py-2 pl-3 text-right font-medium">
              {texts.headers.rows}
            </th>
            <th scope="col" className="py-2 pr-5 pl-3 text-right font-medium max-sm:hidden">
              {texts.headers.columns}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {tables.map((table) => (
            <TableLine key={table.name} schema={schema} table={table} />
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function TableLine({ schema, table }: { schema: string; table: Listed }) {
  const { name, kind, estimated_rows, shown_columns, hidden_columns } = table
  return (
    <tr className="relative hover:bg-sunken">
      <th scope="row" className="py-2 pl-5 text-left font-normal">
        <span className="flex flex-wrap items-center gap-2">
          <Link
            href={tablePath(schema, name)}
            className="font-mono text-sm break-all after:absolute after:inset-0"
          >
            {name}
          </Link>
          {kind !== 'table' && <Badge>{texts.kinds[kind]}</Badge>}
        </span>
      </th>
      <td className="py-2 pl-3 text-right tabular-nums max-sm:pr-5">
        {estimated_rows === null ? texts.unknown : figures.format(estimated_rows)}
      </td>
      <td className="py-2 pr-5 pl-3 text-right tabular-nums max-sm:hidden">
        {shown_columns}
        {hidden_columns > 0 && (
          <span className="text-muted"> + {texts.hidden(hidden_columns)}</span>
        )}
      </td>
    </tr>
  )
}
