// Preconditions of passkeys on this page: a secure context, and the host of the relying party,
// which is a domain name (WebAuthn Level 3, section 5.1.2).
import { passkeyTexts as texts } from '../../messages/sign-in/passkey-texts.ts'
import { useServiceFacts } from './service-facts.ts'

/** The reason why passkeys cannot be used, or null if there is none or it is not known yet. */
export function usePasskeyObstacle(): string | null {
  const facts = useServiceFacts()
  const rp_id = facts.state === 'read' ? facts.service.passkey_rp_id : location.hostname
  if (rp_id === null) return texts.needsDomain
  if (rp_id !== location.hostname) return texts.otherHost(rp_id)
  return typeof PublicKeyCredential === 'undefined' ? texts.unsupported : null
}
