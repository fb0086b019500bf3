// Files that the browser saves without a request of its own, and CSV (RFC 4180).

/** One cell of CSV, quoted so that no spreadsheet runs a text that begins like a formula. */
function cellOf(value: string): string {
  const text = /^[=+@\t\r]|^-(?!\d)/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function csvOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

export function saveCsv(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: 'text/csv' }))
}

export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun when the click is over, but some browsers read the URL a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
