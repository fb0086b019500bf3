// Virtual table: a native table with some 30 rows in the document and their numbers for screen
// readers; arrow keys move between rows. On phones the rows are cards.
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useIsPhone } from '../lib/use-media.ts'

export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** Tailwind's width of the column; without one it takes the space that is left. */
  width?: string
}

type Props<Row> = {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** Enter on a row. */
  onOpen?: (row: Row) => void
}

const row_px = 45
const card_px = 118

export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, columns, keyOf, onOpen } = props
  const isPhone = useIsPhone()
  const region = useRef<HTMLElement>(null)
  const [active, setActive] = useState(0)
  const size = isPhone ? card_px : row_px
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => size,
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
    // The row may come into the document only after the scroll.
    requestAnimationFrame(() =>
      region.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus(),
    )
  }
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    if (event.target !== event.currentTarget) return
    const row = rows[at]
    if (event.key === 'Enter' && row !== undefined) onOpen?.(row)
    const target = targetOf(event.key, at, rows.length)
    if (target === null) return
    event.preventDefault()
    moveTo(target)
  }
  const items = virtualizer.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  const shown = items.flatMap(({ index, key }) => {
    const row = rows[index]
    const props: RowProps = {
      'data-index': index,
      tabIndex: index === Math.min(active, rows.length - 1) ? 0 : -1,
      onFocus: () => setActive(index),
      onKeyDown: (event) => onKeyDown(event, index),
    }
    return row === undefined ? [] : [{ at: index, key, row, props }]
  })
  const View = isPhone ? Cards : Table
  return (
    <section
      ref={region}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
      tabIndex={0}
      className="max-h-[calc(100dvh-18rem)] overflow-auto rounded-xl border border-line bg-surface shadow-card"
    >
      <View columns={columns} count={rows.length} shown={shown} before={before} after={after} />
    </section>
  )
}

type RowProps = {
  'data-index': number
  tabIndex: number
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
}
type View<Row> = {
  columns: readonly Column<Row>[]
  count: number
  shown: readonly { at: number; key: VirtualItem['key']; row: Row; props: RowProps }[]
  /** Heights of the rows that are not in the document. */
  before: number
  after: number
}

function Table<Row>({ columns, count, shown, before, after }: View<Row>) {
  return (
    <table aria-rowcount={count + 1} className="w-full table-fixed border-collapse">
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ key, header, width = '' }) => (
            <th
              key={key}
              scope="col"
              className={`sticky top-0 z-10 h-10 border-b border-line bg-surface px-4 text-left text-xs font-medium text-muted ${width}`}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <SpacerRow height={before} />
        {shown.map(({ at, key, row, props }) => (
          <tr
            key={key}
            {...props}
            aria-rowindex={at + 2}
            className="h-[45px] border-b border-line -outline-offset-2 last:border-0 hover:bg-sunken"
          >
            {columns.map((column) => (
              <td key={column.key} className="truncate px-4">
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
        <SpacerRow height={after} />
      </tbody>
    </table>
  )
}

function SpacerRow({ height }: { height: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without tabIndex takes no focus
  return <tr aria-hidden="true" style={{ height }} />
}

function Cards<Row>({ columns, count, shown, before, after }: View<Row>) {
  return (
    <ul className="divide-y divide-line">
      <li aria-hidden="true" style={{ height: before }} />
      {shown.map(({ at, key, row, props }) => (
        <li
          key={key}
          {...props}
          aria-setsize={count}
          aria-posinset={at + 1}
          className="flex flex-col justify-center gap-1 overflow-hidden px-4 -outline-offset-2"
          style={{ height: card_px }}
        >
          {columns.map((column, index) => (
            <div key={column.key} className="flex items-center justify-between gap-3">
              {index > 0 && <span className="text-sm text-muted">{column.header}</span>}
              <div className={index === 0 ? 'min-w-0 font-medium' : ''}>{column.cell(row)}</div>
            </div>
          ))}
        </li>
      ))}
      <li aria-hidden="true" style={{ height: after }} />
    </ul>
  )
}

/** The row that a key leads to; null for other keys. */
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
