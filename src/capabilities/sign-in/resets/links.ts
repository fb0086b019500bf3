// Mailed links and codes to set a password: a link token (202 random bits) and, for a reset, a code
// of six digits. Stored as digests only.
import { randomInt, timingSafeEqual } from 'node:crypto'
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

/** Six digits, uniformly distributed. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** The stored form of a code: an HMAC bound to its request, with the encryption key. */
export function macOf(
  { encryption }: Pick<App, 'encryption'>,
  { id, code }: { id: string; code: string },
): Buffer {
  return Buffer.from(encryption.hmac(`password code ${id} ${code}`), 'base64')
}

/** In constant time; false also where there is no code. */
export function isCode(kept: Buffer | null, mac: Buffer): boolean {
  return timingSafeEqual(kept ?? Buffer.alloc(mac.length), mac) && kept !== null
}

/**
 * An unused link. Reading it changes nothing, so mail scanners that open links do no harm.
 */
export type OpenLink = { id: string; kind: 'setup' | 'reset'; email: string; expires_at: Date }

/** The link of this token, if it is still valid. */
export async function openLink(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  token: string,
): Promise<OpenLink | undefined> {
  if (!isWellFormedSecret(tokenPrefix, token)) return undefined
  const row = await db.maybe(linkOfHash, { token_hash: hashSecret(token), now: clock.now() })
  return row && { ...row, kind: row.kind === 'setup' ? 'setup' : 'reset' }
}
