// Paths of top-ups, separate from the routes that the pages before the log-in load.
export const topUpRoute = '/billing/top-up'

/** The page that adds money; `shortfall` is the amount that it suggests. */
export function topUpPath(currency: string, shortfall?: string): string {
  const search = new URLSearchParams({ currency, ...(shortfall !== undefined && { shortfall }) })
  return `${topUpRoute}?${search}`
}

/** The page that shows the progress of a top-up. */
export function checkoutPath(id: string): string {
  return `${topUpRoute}?checkout=${encodeURIComponent(id)}`
}
