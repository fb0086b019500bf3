// Mailed links to set a password: a token of 202 random bits, stored as a digest only. The mail of
// a reset has a code, too (mailed-codes.ts).
import type { App } from '../../../app.ts'
import { hashSecret, isWellFormedSecret, newSecret } from '../../../kit/random.ts'
import { linkOfHash } from './links.sql.ts'

const tokenPrefix = 'pwt_'
const minute_ms = 60_000
/** A code can be guessed, so it is valid for ten minutes, as is the link beside it. */
export const reset_ms = 10 * minute_ms
export const setup_ms = 24 * 60 * minute_ms

type NewLink = { url: string; token_hash: Buffer }

/** A link to our own page; its address comes from the settings, never from a request. */
export function newLink({ settings }: Pick<App, 'settings'>): NewLink {
  const { value, hash } = newSecret(tokenPrefix)
  return { url: `${settings.base_url}/password?token=${value}`, token_hash: hash }
}

/**
 * An unused link. Reading it changes nothing, so mail scanners that open links do no harm.
 */
export type OpenLink = {
  id: string
  kind: 'setup' | 'reset'
  email: string
  expires_at: Date
  /** False at the first password of an account without an open session. */
  logs_out: boolean
}

/** The link of this token, if it is still valid. */
export async function openLink(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  token: string,
): Promise<OpenLink | undefined> {
  if (!isWellFormedSecret(tokenPrefix, token)) return undefined
  const row = await db.maybe(linkOfHash, { token_hash: hashSecret(token), now: clock.now() })
  return row && { ...row, kind: row.kind === 'setup' ? 'setup' : 'reset' }
}
