// Page of one database table: its rows in pages and in an order, its columns and its indexes.
import { useQuery } from '@tanstack/react-query'
import type { DatabaseTable } from 'sdk'
import { readDatabaseTable } from 'sdk-of-operators'
import { Link, useParams } from 'wouter'
import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { answerOf } from '../../lib/api.ts'
import { operatorRoutes } from '../../lib/operator/operator-routes.ts'
import { useUrlFilters } from '../../lib/url-filters.ts'
import { databaseTexts as texts } from '../../messages/operator/database-texts.ts'
import { TableRows } from './table-rows.tsx'

export default function DatabaseTablePage() {
  const { schema = '', table: table_name = '' } = useParams()
  const filters = useUrlFilters()
  const table = useQuery({
    queryKey: ['operator-table', schema, table_name],
    queryFn: () => answerOf(readDatabaseTable({ path: { table_name }, query: { schema } })),
  })
  return (
    <>
      <p className="mb-2 text-sm">
        <Link href={operatorRoutes.database} className="text-accent-ink hover:underline">
          ← {texts.back}
        </Link>
      </p>
      <PageHeader title={table_name} subtitle={table.data?.description ?? schema} />
      {table.isPending && <Skeleton lines={8} />}
      {table.isError && <ErrorNotice error={table.error} onRetry={() => void table.refetch()} />}
      {table.data && (
        <Tabs
          label={texts.tabs.label}
          value={filters.textOf('tab') || 'rows'}
          onChange={(tab) => filters.set('tab', tab === 'rows' ? '' : tab)}
          tabs={[
            {
              value: 'rows',
              label: texts.tabs.rows,
              content: <TableRows key={table_name} schema={schema} table={table.data} />,
            },
            {
              value: 'columns',
              label: `${texts.tabs.columns} (${table.data.columns.length})`,
              content: <Columns table={table.data} />,
            },
            {
              value: 'indexes',
              label: `${texts.tabs.indexes} (${table.data.indexes.length})`,
              content: <Indexes table={table.data} />,
            },
          ]}
        />
      )}
    </>
  )
}

function Columns({ table: { columns, primary_key } }: { table: DatabaseTable }) {
  return (
    <Card>
      <ul className="divide-y divide-line text-sm">
        {columns.map(({ name, type, nullable, hidden, description }) => (
          <li key={name} className="px-5 py-2.5">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <code className="font-mono font-medium break-all">{name}</code>
              <span className="text-muted">{type}</span>
              {primary_key.includes(name) && <Badge tone="accent">{texts.primary}</Badge>}
              {hidden && <Badge tone="warn">{texts.secret}</Badge>}
              {nullable && <span className="text-muted">{texts.nullable}</span>}
            </p>
            {description && <p className="mt-0.5 text-muted">{description}</p>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Indexes({ table: { indexes } }: { table: DatabaseTable }) {
  return (
    <Card>
      <ul className="divide-y divide-line text-sm">
        {indexes.map(({ name, columns, unique, primary, condition }) => (
          <li key={name} className="px-5 py-2.5">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <code className="font-mono font-medium break-all">{name}</code>
              {primary && <Badge tone="accent">{texts.primary}</Badge>}
              {unique && !primary && <Badge>{texts.unique}</Badge>}
            </p>
            <p className="mt-0.5 break-words text-muted">
              <code className="font-mono">{columns.join(', ')}</code>
              {condition && ` ${texts.only(condition)}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
