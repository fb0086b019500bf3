// How long things live, in seconds (docs/decisions/0020).

export const lifetimes = {
  /** RFC 9700 asks for short ones; OAuth 2.1 names ten minutes as the most. */
  code_s: 60,
  access_token_s: 3_600,
  id_token_s: 3_600,
  /** Of each refresh token, which is used once: a client that is quiet for longer asks anew. */
  refresh_token_s: 30 * 86_400,
  /** Of all that came of one consent together, however busy the client is. */
  consent_s: 365 * 86_400,
  /** Time to find one's password. */
  interaction_s: 1_800,
  /** How long a browser need not type the password again. It spares nobody the consent. */
  session_s: 8 * 3_600,
} as const

/** Of a refresh token whose first one was issued at `first_s`: sliding, up to the consent's end. */
export function refreshTokenLife(first_s: number, now_s: number): number {
  return Math.max(1, Math.min(lifetimes.refresh_token_s, first_s + lifetimes.consent_s - now_s))
}

/** Of a browser's log-in: from the moment of the password, however busy the browser is. */
export function sessionLife(logged_in_s: number | undefined, now_s: number): number {
  const began_s = logged_in_s ?? now_s
  return Math.max(1, began_s + lifetimes.session_s - now_s)
}
