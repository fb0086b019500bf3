// Which account a program means by an ID token that it got from us before (OpenID Connect Core
// section 3.1.2.1, id_token_hint).
import type { Interaction } from './interaction-state.ts'

/**
 * Whether the consent of this account would be no answer: the program means another. The library
 * has checked the hint's signature when the interaction began, and would ask again after a consent
 * that is written by then.
 */
export function hintsOtherAccount(
  { params }: Pick<Interaction, 'params'>,
  customer_id: string,
): boolean {
  const { id_token_hint } = params
  if (typeof id_token_hint !== 'string') return false
  const [, payload = ''] = id_token_hint.split('.')
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const { sub }: { sub?: unknown } = Object(claims)
  return sub !== customer_id
}
