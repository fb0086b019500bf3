// The operations that take an Idempotency-Key: each request to one gets a key, unless it has one.
const keyed = [
  'POST /v1/domains',
  'POST /v1/domains/transfer',
  'POST /v1/domains/{domain}/renew',
  'POST /v1/domains/{domain}/restore',
  'POST /v1/support/messages',
  'POST /v1/internal/support/messages',
]

/** By method and the path as the operation writes it. */
export function takesKey(method: string, path: string): boolean {
  return keyed.includes(`${method} ${path}`)
}
