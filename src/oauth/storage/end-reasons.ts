// Every way in which a consent ends, as oauth_grants.end_reason has it (docs/decisions/0097).
import { routes } from '../shared/endpoints.ts'

export const endReasons = [
  /** The owner disconnected the app, or a key or an app with keys:write did so for them. */
  'disconnected',
  /** The app gave the consent up, as a program does at its log-out (RFC 7009). */
  'revoked_by_app',
  /** A refresh token was used again, later than sessions of one program do. */
  'refresh_token_reused',
  /** An authorization code or a device code was used again. */
  'code_reused',
  /** The password was changed, by its owner or by a mailed link. */
  'password_changed',
  /** The account was closed, by its owner or by an operator. */
  'account_closed',
  /** A later consent of the app withdrew all that it allowed. */
  'narrowed',
  /** The code was never redeemed, or all tokens and keys have expired. */
  'unused',
] as const

export type EndReason = (typeof endReasons)[number]

/**
 * The reason that follows from the request to the library that ends a consent: its client gives it
 * up, or replays a secret.
 */
export function endReasonOfRequest(path: string, grant_type: unknown): EndReason {
  if (path === routes.revocation) return 'revoked_by_app'
  return grant_type === 'refresh_token' ? 'refresh_token_reused' : 'code_reused'
}

/** The stored reason, or null for none and for one that this version does not know. */
export function endReasonOf(stored: string | null): EndReason | null {
  return endReasons.find((one) => one === stored) ?? null
}
