// Virtual table: a native table with some 30 rows in the document and their numbers for screen
// readers; arrow keys move between rows. On phones the rows are cards.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useIsPhone } from '../../lib/use-media.ts'
import { type Sorting, TableHeader } from './table-header.tsx'
import { CardRow, cardHeight, type RowActions, TableRow } from './table-row.tsx'

export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** Tailwind's class for the width of the column; without one it takes the remaining space. */
  width?: string
  sortable?: boolean
  /** Whether cards leave out its header, because the cell needs the whole line. */
  isPlain?: boolean
}

type Selection<Row> = {
  selected: ReadonlySet<string>
  labelOf: (row: Row) => string
  onChange: (selected: ReadonlySet<string>) => void
}

type Props<Row> = {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** Called for Enter on a row. */
  onOpen?: (row: Row) => void
  sorting?: Sorting
  selection?: Selection<Row>
  /** Tailwind's class for the height of the scrolled region. */
  height?: string
}

const row_px = 45
const most_of_the_page = 'max-h-[calc(100dvh-18rem)] max-sm:max-h-[calc(100dvh-9rem)]'

export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, columns, keyOf, sorting, selection, height = most_of_the_page } = props
  const isPhone = useIsPhone()
  const { region, virtualizer, actions, tabbed } = useRows(props, isPhone)
  const RowView = isPhone ? CardRow : TableRow
  const items = virtualizer.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  const shown = items.flatMap(({ index }) => {
    const row = rows[index]
    if (row === undefined) return []
    const id = keyOf(row)
    const cells = () =>
      columns.map(({ cell, isPlain = false, ...rest }) => ({
        ...rest,
        isPlain,
        content: cell(row),
      }))
    return (
      <RowView
        key={id}
        {...{ id, row, columns, cells, actions, at: index, count: rows.length }}
        isTabbed={index === tabbed}
        isSelected={selection ? selection.selected.has(id) : null}
        selectLabel={selection?.labelOf(row) ?? ''}
      />
    )
  })
  return (
    <section
      ref={region}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
      tabIndex={0}
      className={`overflow-auto rounded-xl border border-line bg-surface shadow-card ${height}`}
    >
      {isPhone ? (
        <ul className="divide-y divide-line">
          <li aria-hidden="true" style={{ height: before }} />
          {shown}
          <li aria-hidden="true" style={{ height: after }} />
        </ul>
      ) : (
        <table aria-rowcount={rows.length + 1} className="w-full table-fixed border-collapse">
          <TableHeader columns={columns} sorting={sorting} selection={wholeSelection(props)} />
          <tbody>
            <SpacerRow height={before} />
            {shown}
            <SpacerRow height={after} />
          </tbody>
        </table>
      )}
    </section>
  )
}

function SpacerRow({ height }: { height: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without tabIndex takes no focus
  return <tr aria-hidden="true" style={{ height }} />
}

function wholeSelection<Row>({ rows, keyOf, selection }: Props<Row>) {
  if (!selection) return null
  const { selected, onChange } = selection
  const all = rows.length > 0 && rows.every((row) => selected.has(keyOf(row)))
  return {
    all,
    some: selected.size > 0,
    onChange: (on: boolean) => onChange(on ? new Set(rows.map(keyOf)) : new Set()),
  }
}

/** Scrolling, and the one row that the Tab key reaches. */
function useRows<Row>(props: Props<Row>, isPhone: boolean) {
  const { rows, columns, keyOf } = props
  const region = useRef<HTMLElement>(null)
  const [active, setActive] = useState(0)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => (isPhone ? cardHeight(columns.length) : row_px),
    getItemKey: (at) => {
      const row = rows[at]
      return row === undefined ? at : keyOf(row)
    },
    overscan: 8,
    scrollPaddingStart: isPhone ? 0 : row_px,
  })
  const moveTo = (at: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, at))
    setActive(next)
    virtualizer.scrollToIndex(next)
    // The row may be rendered only after the scroll.
    requestAnimationFrame(() =>
      region.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus(),
    )
  }
  const latest = useRef({ ...props, moveTo })
  useEffect(() => {
    latest.current = { ...props, moveTo }
  })
  const actions = useMemo<RowActions>(
    () => ({
      onFocus: setActive,
      onKeyDown: (event, at) => onRowKey(event, at, latest.current),
      onSelect: (id, on) => {
        const { selection } = latest.current
        const next = new Set(selection?.selected)
        if (on) next.add(id)
        else next.delete(id)
        selection?.onChange(next)
      },
    }),
    [],
  )
  return { region, virtualizer, actions, tabbed: Math.min(active, rows.length - 1) }
}

function onRowKey<Row>(
  event: KeyboardEvent,
  at: number,
  { rows, onOpen, moveTo }: Props<Row> & { moveTo: (at: number) => void },
): void {
  if (event.target !== event.currentTarget) return
  const row = rows[at]
  if (event.key === 'Enter' && row !== undefined) onOpen?.(row)
  const target = targetOf(event.key, at, rows.length)
  if (target === null) return
  event.preventDefault()
  moveTo(target)
}

/** The row that a key leads to, or null for other keys. */
function targetOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'PageDown':
      return at + 10
    case 'PageUp':
      return at - 10
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
