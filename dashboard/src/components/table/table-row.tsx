// Rows of a virtual table: a table row, or a card on phones. They are memoized by their content, so
// that a scroll renders only the rows that come into view.
import { type KeyboardEvent, memo, type ReactNode } from 'react'
import { Checkbox } from '../forms/checkbox.tsx'

export type RowActions = {
  onFocus: (at: number) => void
  onKeyDown: (event: KeyboardEvent, at: number) => void
  onSelect: (id: string, on: boolean) => void
}

type Cell = { key: string; header: string; isPlain: boolean; content: ReactNode }

type RowProps = {
  id: string
  at: number
  count: number
  /** The dependencies of `cells`: two renders with the same row and columns show the same. */
  row: unknown
  columns: unknown
  cells: () => readonly Cell[]
  actions: RowActions
  isTabbed: boolean
  /** Whether the row is selected, or null if rows cannot be selected. */
  isSelected: boolean | null
  selectLabel: string
}

function isSame(a: RowProps, b: RowProps): boolean {
  return (
    a.row === b.row &&
    a.columns === b.columns &&
    a.at === b.at &&
    a.count === b.count &&
    a.isTabbed === b.isTabbed &&
    a.isSelected === b.isSelected
  )
}

function eventsOf({ at, isTabbed, actions }: RowProps) {
  return {
    'data-index': at,
    tabIndex: isTabbed ? 0 : -1,
    onFocus: () => actions.onFocus(at),
    onKeyDown: (event: KeyboardEvent) => actions.onKeyDown(event, at),
  }
}

function RowCheckbox({ id, isSelected, selectLabel, actions }: RowProps) {
  if (isSelected === null) return null
  return (
    <Checkbox
      label={selectLabel}
      checked={isSelected}
      onChange={(on) => actions.onSelect(id, on)}
    />
  )
}

export const TableRow = memo(function TableRow(props: RowProps) {
  const { at, cells, isSelected } = props
  return (
    <tr
      {...eventsOf(props)}
      aria-rowindex={at + 2}
      data-selected={isSelected || undefined}
      className="h-[45px] border-b border-line -outline-offset-2 last:border-0 hover:bg-sunken data-selected:bg-accent-soft"
    >
      {isSelected !== null && (
        <td className="pl-3">
          <RowCheckbox {...props} />
        </td>
      )}
      {cells().map(({ key, content }) => (
        <td key={key} className="truncate px-4">
          {content}
        </td>
      ))}
    </tr>
  )
}, isSame)

const line_px = 26

export const CardRow = memo(function CardRow(props: RowProps) {
  const { at, count, cells, isSelected } = props
  const [first, ...rest] = cells()
  return (
    <li
      {...eventsOf(props)}
      aria-setsize={count}
      aria-posinset={at + 1}
      data-selected={isSelected || undefined}
      className="flex flex-col justify-center gap-1 overflow-hidden px-4 -outline-offset-2 data-selected:bg-accent-soft"
      style={{ height: cardHeight(1 + rest.length) }}
    >
      <div className="-ml-1 flex min-h-6 items-center gap-1.5 not-has-[input]:ml-0">
        <RowCheckbox {...props} />
        <div className="min-w-0 grow truncate font-medium">{first?.content}</div>
      </div>
      {rest.map(({ key, header, isPlain, content }) => (
        <div key={key} className="flex items-center justify-between gap-3">
          <span className={isPlain ? 'sr-only' : 'text-sm text-muted'}>{header}</span>
          <div className="min-w-0 truncate">{content}</div>
        </div>
      ))}
    </li>
  )
}, isSame)

/** The height of a card with this many lines, in px. */
export function cardHeight(lines: number): number {
  return 14 + line_px * lines
}
