// Every way in which a consent ends, as oauth_grants.end_reason has it (docs/decisions/0097).
import { routes } from '../shared/endpoints.ts'

export const endReasons = [
  /** Its owner disconnected the app, or a key or an app with keys:write did so for them. */
  'disconnected',
  /** The app gave it up: log-out of a program (RFC 7009). */
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
  /** Its code was never redeemed, or all tokens and keys have expired. */
  'unused',
] as const

export type EndReason = (typeof endReasons)[number]

/** By the request to the library that ends it: its client gives it up, or replays a secret. */
export function endReasonOfRequest(path: string, grant_type: unknown): EndReason {
  if (path === routes.revocation) return 'revoked_by_app'
  return grant_type === 'refresh_token' ? 'refresh_token_reused' : 'code_reused'
}

/** The reason that is stored; null for one that this version does not know, or none. */
export function endReasonOf(stored: string | null): EndReason | null {
  return endReasons.find((one) => one === stored) ?? null
}
