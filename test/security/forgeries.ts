// JWTs forged as access tokens: unsigned, signed by another key, for another purpose, expired.
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

type Part = Record<string, unknown>
/** `ours`: the private key that signs id_tokens, as if it were stolen or misused. */
type Material = { id_token: string; published: Part; resource: string; ours: KeyObject }

export function forgeriesOf({ id_token, published, resource, ours }: Material) {
  const [header = {}, claims = {}] = id_token.split('.').slice(0, 2).map(partOf)
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const now_s = Math.floor(Date.now() / 1000)
  const access = {
    iss: claims.iss,
    sub: claims.sub,
    aud: resource,
    client_id: claims.aud,
    scope: 'account:read domains:purchase',
    iat: now_s,
    exp: now_s + 3600,
    jti: 'forged',
  }
  const sealed = (text: string) => sign('sha256', Buffer.from(text), own.privateKey)
  const signed = (head: Part, body: Part = access) =>
    tokenOf({ alg: 'RS256', typ: 'at+jwt', ...head }, body, (text) => toText(sealed(text)))
  const byUs = (head: Part, body: Part = access) => {
    const seal = (text: string) => toText(sign('sha256', Buffer.from(text), ours))
    return tokenOf({ ...header, typ: 'at+jwt', ...head }, body, seal)
  }
  const keyed = (secret: string) => (text: string) =>
    createHmac('sha256', secret).update(text).digest('base64url')
  const password = JSON.stringify(published)
  const pem = createPublicKey(ours).export({ format: 'pem', type: 'spki' }).toString()
  const jwk = own.publicKey.export({ format: 'jwk' })
  const forged: Record<string, string> = {
    'an id_token': id_token,
    'without an algorithm': tokenOf({ alg: 'none', typ: 'at+jwt' }, access, () => ''),
    'without an algorithm, in capitals': tokenOf({ alg: 'NONE' }, access, () => ''),
    'with our public key as HMAC secret': tokenOf({ alg: 'HS256' }, access, keyed(password)),
    'with our public key in PEM as HMAC secret': tokenOf({ alg: 'HS256' }, access, keyed(pem)),
    'signed by our own key': byUs({}),
    'signed by our own key, of an id_token’s type': byUs({ typ: 'JWT' }),
    'signed by our own key, expired': byUs({}, { ...access, exp: now_s - 1 }),
    'signed by our own key, not yet valid': byUs({}, { ...access, nbf: now_s + 60 }),
    'signed by our own key, with another kid': byUs({ kid: 'other' }),
    'with an empty HMAC secret': tokenOf({ alg: 'HS256' }, access, keyed('')),
    'of an unknown key': signed({ kid: 'other' }),
    'of another key with our kid': signed(header),
    'with its own key beside it': signed({ jwk }),
    'with the URL of its key': signed({ jku: 'https://evil.example/jwks' }),
    'with the URL of a certificate': signed({ x5u: 'https://evil.example/certificate' }),
    'that is expired': signed({}, { ...access, exp: now_s - 1 }),
    'that is not yet valid': signed({}, { ...access, nbf: now_s + 60 }),
    'with the signature of an id_token': tokenOf(
      header,
      access,
      () => id_token.split('.')[2] ?? '',
    ),
  }
  return { header, claims, forged }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function partOf(text: string): Part {
  return Object(JSON.parse(Buffer.from(text, 'base64url').toString()))
}

function tokenOf(head: Part, body: Part, seal: (text: string) => string): string {
  const text = [head, body].map((part) => toText(Buffer.from(JSON.stringify(part)))).join('.')
  return `${text}.${seal(text)}`
}
