// Tables of text, aligned by the columns that a terminal shows, not by the characters.
const wide = new RegExp(
  '[\\u1100-\\u115f\\u2e80-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60' +
    '\\uffe0-\\uffe6]|[\\u{1f300}-\\u{1faff}\\u{20000}-\\u{3fffd}]',
  'u',
)
const empty = /^[\p{Mn}\p{Me}\p{Cf}]/u
const graphemes = new Intl.Segmenter()

export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(text))
    width += empty.test(segment) ? 0 : wide.test(segment) ? 2 : 1
  return width
}

/** No answer of a service moves the cursor or changes a colour. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [head, ...rows].map((cells) => cells.map(printable))
  const widths = head.map((_, column) =>
    Math.max(...lines.map((cells) => widthOf(cells[column] ?? ''))),
  )
  return lines.map((cells) =>
    cells
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  )
}
