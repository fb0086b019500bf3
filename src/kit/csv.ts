// CSV (RFC 4180), safe for spreadsheets.

/** One line of CSV, with its line break. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => cellOf(String(cell ?? ''))).join(',')}\r\n`
}

/** A spreadsheet would run a text that begins like a formula; a negative number is none. */
function cellOf(value: string): string {
  const text = /^[=+@\t\r]|^-(?!\d+(?:\.\d+)?$)/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
