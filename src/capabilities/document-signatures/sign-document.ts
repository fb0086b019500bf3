// Signs a document as compact JWS with ES256 (RFC 7515, RFC 7518 section 3.4).

import { importJWK, SignJWT } from 'jose'
import type { App } from '../../app.ts'
import type { CustomerId } from '../../kit/random.ts'
import { type DocumentKeyParts, signingKey } from './keys.ts'

/** The header states the type, so that no document passes as another (RFC 8725 section 3.11). */
type DocumentType = 'quote+jwt' | 'receipt+jwt'

type SignedDocument = {
  typ: DocumentType
  id: string
  customer_id: CustomerId
  issued_at: Date
  /** Null if it stays valid. */
  expires_at: Date | null
  facts: Record<string, unknown>
}

type Parts = DocumentKeyParts & Pick<App, 'settings'>

/**
 * `iss` is the service's base URL, `sub` the customer, `jti` the id; the facts are beside them.
 */
export async function signDocument(parts: Parts, document: SignedDocument): Promise<string> {
  const { kid, jwk } = await signingKey(parts)
  const token = new SignJWT(document.facts)
    .setProtectedHeader({ alg: 'ES256', typ: document.typ, kid })
    .setIssuer(parts.settings.base_url)
    .setSubject(document.customer_id)
    .setJti(document.id)
    .setIssuedAt(document.issued_at)
  if (document.expires_at) token.setExpirationTime(document.expires_at)
  return token.sign(await importJWK(JSON.parse(jwk), 'ES256'))
}
