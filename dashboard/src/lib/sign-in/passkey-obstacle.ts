// Why this page cannot use passkeys; they need a secure context and a domain name (WebAuthn Level
// 3, section 5.1.2).
import { passkeyTexts as texts } from '../../messages/sign-in/passkey-texts.ts'

/** Null where nothing is in the way. */
export function passkeyObstacle(): string | null {
  if (/^[\d.]+$|^\[/.test(location.hostname)) return texts.needsDomain
  return typeof PublicKeyCredential === 'undefined' ? texts.unsupported : null
}
