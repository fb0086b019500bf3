// Table of figures: a header for each row, and right-aligned cells.
import type { ReactNode } from 'react'

type Row = { key: string; header: ReactNode; cells: readonly ReactNode[] }
type Props = {
  /** The first one is the header of the column of row headers. */
  headers: readonly string[]
  rows: readonly Row[]
  /** Tailwind's class for the height of a row. */
  height?: string
  /** Tailwind's class for the padding at both ends of a row. */
  inset?: string
  /** The number of columns of cells that a phone shows; all by default. */
  onPhones?: number
}

export function FiguresTable({ headers, rows, height = 'h-8', inset = '', onPhones }: Props) {
  const [first, ...others] = headers
  const cellClass = (at: number) => {
    const isHidden = onPhones !== undefined && at >= onPhones
    const isEnd = inset !== '' && at === others.length - 1
    const isEndOnPhones = inset !== '' && at === (onPhones ?? 0) - 1
    return ['pl-3', isEnd && 'pr-5', isHidden && 'max-sm:hidden', isEndOnPhones && 'max-sm:pr-5']
      .filter(Boolean)
      .join(' ')
  }
  return (
    <table className="my-2 w-full border-collapse tabular-nums">
      <thead>
        <tr className={`text-right text-xs text-muted ${height}`}>
          <th scope="col" className={`text-left font-medium ${inset}`}>
            {first}
          </th>
          {others.map((header, at) => (
            <th key={header} scope="col" className={`font-medium ${cellClass(at)}`}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(({ key, header, cells }) => (
          <tr key={key} className={`text-right ${height}`}>
            <th scope="row" className={`text-left font-normal ${inset}`}>
              {header}
            </th>
            {cells.map((content, at) => (
              <td key={others[at]} className={cellClass(at)}>
                {content}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
