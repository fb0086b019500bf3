// Lifetimes in seconds (docs/decisions/0020).

export const lifetimes = {
  /** RFC 9700 asks for short lives of codes, and OAuth 2.1 allows ten minutes at most. */
  code_s: 60,
  /** A device code and its user code leave time to open a browser elsewhere and to log in. */
  device_code_s: 900,
  access_token_s: 3_600,
  id_token_s: 3_600,
  /** Each refresh token is used once. A client that is idle for longer asks again. */
  refresh_token_s: 30 * 86_400,
  /** How long another session of its program may use it, too, and gets the same answer. */
  refresh_overlap_s: 30,
  /**
   * This is the life of everything that was issued under one consent, however busy the client is.
   */
  consent_s: 365 * 86_400,
  /** An interaction leaves time to find one's password. */
  interaction_s: 1_800,
  /** How long a browser need not enter the password again. Consent is asked for each time. */
  session_s: 8 * 3_600,
} as const
