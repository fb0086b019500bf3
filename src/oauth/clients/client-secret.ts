// Secrets of clients that ask for one: shown once, in the answer to the registration, and kept as
// their SHA-256 (decisions part 2).
import type { Provider } from 'oidc-provider'
import { hashSecret, randomBase62, sameSecret } from '../../kit/secret.ts'

/** 43 characters of base62 are 256 bits. */
export function newClientSecret(): { shown: string; kept: string } {
  const shown = randomBase62(43)
  return { shown, kept: keptForm(shown) }
}

/** oidc-provider would compare what is shown with what is kept. */
export function compareSecretsByHash(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compare(shown) {
    return this.clientSecret !== undefined && sameSecret(keptForm(shown), this.clientSecret)
  }
}

function keptForm(secret: string): string {
  return hashSecret(secret).toString('hex')
}
