// Tables of text, aligned by the columns that a terminal shows instead of by characters.
import { coloured, type Style } from './colours.ts'

const wide = new RegExp(
  '[\\u1100-\\u115f\\u2e80-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60' +
    '\\uffe0-\\uffe6]|[\\u{1f300}-\\u{1faff}\\u{20000}-\\u{3fffd}]',
  'u',
)
const empty = /^[\p{Mn}\p{Me}\p{Cf}]/u
const plain = /^[ -~]*$/
/** Made only when it is needed, because it costs 7 ms and most text is ASCII. */
let segmenter: Intl.Segmenter | null = null

function graphemesIn(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemesIn(text))
    width += empty.test(segment) ? 0 : wide.test(segment) ? 2 : 1
  return width
}

/** Keeps the service's answers from moving the cursor or changing a color. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}

/** The text in at most this many columns, with a mark where it is cut. */
export function shortened(text: string, columns: number): string {
  const shown = printable(text)
  if (widthOf(shown) <= columns) return shown
  let kept = ''
  for (const { segment } of graphemesIn(shown)) {
    if (widthOf(kept + segment) >= columns) break
    kept += segment
  }
  return `${kept}…`
}

/** States have the same color in all tables. */
const states: Record<string, Style> = {
  ...{ active: 'green', available: 'green', succeeded: 'green', executed: 'green', paid: 'green' },
  ...{ approved: 'green', pending: 'yellow', unknown: 'yellow', transfer_pending: 'yellow' },
  ...{ expired: 'red', redemption: 'red', pending_delete: 'red', failed: 'red', declined: 'red' },
  ...{ taken: 'dim', revoked: 'dim', voided: 'dim', transferred_away: 'dim' },
}

/** A column whose head begins with ">" is aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const heads = head.map((name) => name.replace(/^>/, ''))
  const lines = [heads, ...rows].map((cells) => cells.map(printable))
  const widths = heads.map((_, column) =>
    Math.max(...lines.map((cells) => widthOf(cells[column] ?? ''))),
  )
  const last = heads.length - 1
  return lines.map((cells, row) => {
    const padded = cells.map((cell, column) => {
      const space = ' '.repeat((widths[column] ?? 0) - widthOf(cell))
      const style = row === 0 ? 'bold' : states[cell]
      const shown = style === undefined ? cell : coloured(style, cell, process.stdout)
      if (head[column]?.startsWith('>')) return space + shown
      return column === last ? shown : shown + space
    })
    return padded.join('  ').trimEnd()
  })
}

/** One object, with a line for each of its facts. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => widthOf(name)))
  return rows.map(([name, value]) => {
    const padded = name + ' '.repeat(width - widthOf(name))
    const style = states[value]
    const shown = style === undefined ? printable(value) : coloured(style, value, process.stdout)
    return `${coloured('dim', padded, process.stdout)}  ${shown}`.trimEnd()
  })
}
