// Client secrets: returned once, in the response to the registration, and stored as their
// SHA-256.
import type { Provider } from 'oidc-provider'
import { hashSecret, randomBase62, sameSecret } from '../../kit/random.ts'

/** 43 characters of base62 are 256 bits. */
export function newClientSecret(): { secret: string; hash: string } {
  const secret = randomBase62(43)
  return { secret, hash: hashOf(secret) }
}

/** oidc-provider would compare the presented secret with the stored hash. */
export function compareClientSecretHashes(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compare(secret) {
    return this.clientSecret !== undefined && sameSecret(hashOf(secret), this.clientSecret)
  }
}

function hashOf(secret: string): string {
  return hashSecret(secret).toString('hex')
}
