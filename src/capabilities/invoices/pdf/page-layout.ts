// Measures of a page of an invoice, in points, and the formats of its dates and amounts.
export const left = 52
export const right = 543
export const top = 56
export const bottom = 770
/** Between the edge of the table and its cells. */
export const gap = 8
export const contentWidth = right - left

export const colors = {
  ink: '#16181d',
  muted: '#5c6370',
  line: '#d5d8de',
  band: '#f3f4f6',
} as const

/** A day in UTC: 22 November 2026. */
export function dateOf(moment: string): string {
  const options = { dateStyle: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(moment))
}

/** With thousands separators: 1,234.50 USD. */
export function moneyOf(amount: string, currency?: string): string {
  const grouped = amount.replaceAll(/\B(?=(\d{3})+\.)/g, ',')
  return currency === undefined ? grouped : `${grouped} ${currency}`
}
