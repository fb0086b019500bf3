// Measures of an A4 page of a document, in points, and the formats of its dates and amounts.
export const left = 52
export const right = 543
export const top = 60
export const bottom = 762
/** The space between the edge of a table and its cells. */
export const gap = 8
export const contentWidth = right - left

export const colors = {
  ink: '#16181d',
  muted: '#5c6370',
  line: '#d5d8de',
  band: '#f3f4f6',
  warning: '#7a4b00',
  warningBand: '#fdf0d5',
} as const

/** A day in UTC, such as 22 November 2026. */
export function dateOf(moment: string): string {
  const options = { dateStyle: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(moment))
}

/** A second in UTC, such as 22 November 2026 at 09:05:01 UTC. */
export function momentOf(moment: string): string {
  const options = { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat('en-GB', options).format(new Date(moment))} UTC`
}

/** An amount with thousands separators, such as 1,234.50 USD. */
export function moneyOf(amount: string, currency?: string): string {
  const grouped = amount.replaceAll(/\B(?=(\d{3})+\.)/g, ',')
  return currency === undefined ? grouped : `${grouped} ${currency}`
}
