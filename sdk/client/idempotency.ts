// The operations that take an Idempotency-Key, and the requests that get one from the SDK.
const renewal = 'POST /v1/domains/{domain}/renew'
const keyed = [
  'POST /v1/domains',
  'POST /v1/domains/transfer',
  renewal,
  'POST /v1/domains/{domain}/restore',
  'POST /v1/support/messages',
  'POST /v1/internal/support/messages',
]

/** By method and the path as the operation writes it. */
export function takesKey(method: string, path: string): boolean {
  return keyed.includes(`${method} ${path}`)
}

/**
 * Each, but a renewal without expected_expiry: the service refuses the same one within 24 hours
 * only where it has neither, and with a new key each call would be another year.
 */
export function needsKey(method: string, path: string, body: unknown): boolean {
  const isFenced = typeof Object(body).expected_expiry === 'string'
  return takesKey(method, path) && (isFenced || `${method} ${path}` !== renewal)
}
