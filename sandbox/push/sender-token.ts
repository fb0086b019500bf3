// The check of a sender's token (VAPID, RFC 8292) by WebCrypto: the token must be signed by the key
// that the subscription was made for, name this push service, and last no longer than a day.

const day_s = 86_400
const scheme = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/

type SenderCheck = {
  origin: string
  /** The application server's key that the subscription is restricted to. */
  public_key: string
  now_ms: number
}

/** The problem of the Authorization field, or null if there is none. */
export async function tokenProblem(
  field: string | undefined,
  { origin, public_key, now_ms }: SenderCheck,
): Promise<string | null> {
  const [, head = '', claims = '', signature = '', key = ''] = scheme.exec(field ?? '') ?? []
  if (key === '') return 'no token'
  if (key !== public_key) return 'another key'
  const verifying = await crypto.subtle.importKey(
    'raw',
    bytes(key),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['verify'],
  )
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signed = new TextEncoder().encode(`${head}.${claims}`)
  if (!(await crypto.subtle.verify(algorithm, verifying, bytes(signature), signed)))
    return 'a wrong signature'
  const { alg, typ } = jsonIn(head)
  const { aud, exp, sub } = jsonIn(claims)
  if (alg !== 'ES256' || typ !== 'JWT') return 'a wrong header'
  if (aud !== origin) return 'another audience'
  const left_s = Number(exp) - now_ms / 1_000
  if (!(left_s > 0 && left_s <= day_s)) return 'a wrong expiry'
  return /^(mailto:.+@|https:\/\/)/.test(String(sub)) ? null : 'no subject'
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

function jsonIn(text: string): Record<string, unknown> {
  return { ...JSON.parse(Buffer.from(text, 'base64url').toString()) }
}
