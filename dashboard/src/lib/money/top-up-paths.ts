// Paths of top-ups, apart from the routes that the pages before the log-in load.
export const topUpRoute = '/billing/top-up'

/** The page on which money is added; `shortfall` is the amount to begin with. */
export function topUpPath(currency: string, shortfall?: string): string {
  const search = new URLSearchParams({ currency, ...(shortfall !== undefined && { shortfall }) })
  return `${topUpRoute}?${search}`
}

/** The course of a top-up. */
export function checkoutPath(id: string): string {
  return `${topUpRoute}?checkout=${encodeURIComponent(id)}`
}
