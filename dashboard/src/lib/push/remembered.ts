// The stored push subscription of this browser: its account and its id. The browser itself keeps
// the endpoint.
type Remembered = { customer_id: string; id: string }

const key = 'push'

export function rememberPush(remembered: Remembered): void {
  localStorage.setItem(key, JSON.stringify(remembered))
}

export function dropPush(): void {
  localStorage.removeItem(key)
}

/** The id of the subscription, or null if push is off or was turned on for another account. */
export function rememberedPush(customer_id: string): string | null {
  const stored = localStorage.getItem(key)
  if (stored === null) return null
  const { customer_id: of, id }: Partial<Remembered> = JSON.parse(stored)
  return of === customer_id && id !== undefined ? id : null
}
