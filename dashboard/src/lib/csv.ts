// CSV files (RFC 4180), saved by the browser without a request.

/** A spreadsheet would run a text that begins like a formula. */
function cellOf(value: string): string {
  const text = /^[=+@\t\r]|^-(?!\d)/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function csvOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

export function saveCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun once the click is over; some browsers read the URL a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
