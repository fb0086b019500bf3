// The rows of a table. A click on a header orders by its column: first ascending, then descending,
// then in the original order.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DatabaseRows, DatabaseTable } from 'sdk'
import { readDatabaseRows } from 'sdk-of-operators'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Pager } from '../../components/operator/pager.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { useUrlFilters } from '../../lib/url-filters.ts'
import { databaseTexts as texts } from '../../messages/operator/database-texts.ts'

const limit = 50

type Props = { schema: string; table: DatabaseTable }

export function TableRows({ schema, table: { name: table_name } }: Props) {
  const filters = useUrlFilters()
  const order = filters.textOf('order_by')
  const [offset, setOffset] = useState(0)
  const rows = useQuery({
    queryKey: ['operator-rows', schema, table_name, order, offset],
    queryFn: () =>
      answerOf(
        readDatabaseRows({
          path: { table_name },
          query: { schema, limit, offset, ...(order && { order_by: [order] }) },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const orderBy = (column: string) => {
    setOffset(0)
    filters.set('order_by', nextOrder(column, order))
  }
  const { data } = rows
  return (
    <>
      {rows.isPending && <Skeleton lines={8} />}
      {rows.isError && <ErrorNotice error={rows.error} onRetry={() => void rows.refetch()} />}
      {data?.rows.length === 0 && <EmptyState icon="search" {...texts.empty} />}
      {data && data.rows.length > 0 && !rows.isError && (
        <Grid data={data} label={texts.rows(table_name)} order={order} onOrder={orderBy} />
      )}
      <Pager
        offset={offset}
        limit={limit}
        shown={data?.rows.length ?? 0}
        next={data?.next_offset ?? null}
        onChange={setOffset}
      />
    </>
  )
}

function nextOrder(column: string, order: string): string {
  if (order === column) return `-${column}`
  return order === `-${column}` ? '' : column
}

type GridProps = {
  data: DatabaseRows
  label: string
  order: string
  onOrder: (column: string) => void
}

const unordered = /^(jsonb?|json|point|xml)$/

function Grid({ data: { columns, rows }, label, order, onOrder }: GridProps) {
  const sortOf = (name: string) => {
    if (order === name) return 'ascending'
    return order === `-${name}` ? 'descending' : undefined
  }
  return (
    <Card className="overflow-hidden">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
        tabIndex={0}
        className="max-h-[calc(100dvh-20rem)] overflow-auto max-sm:max-h-[calc(100dvh-24rem)]"
      >
        <table className="border-collapse text-sm">
          <thead>
            <tr>
              {columns.map(({ name, type }) => (
                <th
                  key={name}
                  scope="col"
                  aria-sort={sortOf(name)}
                  className="sticky top-0 z-10 border-b border-line bg-sunken px-3 py-1.5 text-left align-bottom font-medium whitespace-nowrap"
                >
                  {unordered.test(type) ? (
                    name
                  ) : (
                    <button
                      type="button"
                      className="cursor-pointer hover:underline"
                      onClick={() => onOrder(name)}
                    >
                      {name}
                      <span aria-hidden="true">{arrows[sortOf(name) ?? 'none']}</span>
                    </button>
                  )}
                  <span className="block text-xs font-normal text-muted">{type}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a page is replaced as a whole
              <tr key={at} className="hover:bg-sunken">
                {columns.map(({ name }) => (
                  <Cell key={name} name={name} value={row[name] ?? null} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

const arrows = { ascending: ' ↑', descending: ' ↓', none: '' } as const
/** The length of a text that fits on one line. */
const short = 60
const longest = 160

const wrapped = 'inline-block min-w-80 break-all'

function Cell({ name, value }: { name: string; value: string | null }) {
  return (
    <td className="max-w-md px-3 py-1.5 align-top font-mono text-xs">
      {value === null && <span className="text-muted italic">{texts.null}</span>}
      {value !== null && value.length <= longest && (
        <span className={value.length <= short ? 'whitespace-nowrap' : wrapped}>{value}</span>
      )}
      {value !== null && value.length > longest && (
        <details>
          <summary aria-label={texts.whole(name)} className={`cursor-pointer ${wrapped}`}>
            {`${value.slice(0, longest)}…`}
          </summary>
          <span className="block pt-1 break-all whitespace-pre-wrap">{value}</span>
        </details>
      )}
    </td>
  )
}
