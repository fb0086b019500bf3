// Header of a virtual table: sorts by a column, and selects all rows.
import { common } from '../../messages/common-texts.ts'
import { Checkbox } from '../forms/checkbox.tsx'
import { Icon } from '../icon.tsx'

export type Sorting = { key: string; descending: boolean; onSort: (key: string) => void }

type HeaderColumn = { key: string; header: string; width?: string; sortable?: boolean }

type Props = {
  columns: readonly HeaderColumn[]
  sorting: Sorting | undefined
  /** The state of the checkbox for all rows, or null if rows cannot be selected. */
  selection: { all: boolean; some: boolean; onChange: (on: boolean) => void } | null
}

export function TableHeader({ columns, sorting, selection }: Props) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection && (
          <th
            scope="col"
            className="sticky top-0 z-10 h-10 w-10 border-b border-line bg-surface pl-3 text-left"
          >
            <Checkbox
              label={common.table.selectAll}
              checked={selection.all}
              mixed={selection.some && !selection.all}
              onChange={selection.onChange}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeaderCell key={column.key} column={column} sorting={sorting} />
        ))}
      </tr>
    </thead>
  )
}

function HeaderCell({ column, sorting }: { column: HeaderColumn; sorting: Sorting | undefined }) {
  const { key, header, width = '', sortable = false } = column
  const isSorted = sorting?.key === key
  const direction = sorting?.descending ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      aria-sort={isSorted ? direction : undefined}
      className={`sticky top-0 z-10 h-10 border-b border-line bg-surface px-4 text-left text-xs font-medium text-muted ${width}`}
    >
      {sortable && sorting ? (
        <button
          type="button"
          onClick={() => sorting.onSort(key)}
          className="-mx-1.5 inline-flex h-7 items-center gap-1 rounded px-1.5 hover:bg-sunken hover:text-ink"
        >
          {header}
          <Icon
            name="chevron"
            className={`size-3 ${isSorted ? 'text-ink' : 'opacity-0'} ${sorting.descending ? '' : 'rotate-180'}`}
          />
        </button>
      ) : (
        header
      )}
    </th>
  )
}
