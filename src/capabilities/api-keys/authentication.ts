// API key authentication: checks the checksum, then looks the SHA-256 up in an index; all failures
// give the same result.

import { type App, type Caller, foldScopes } from '../../app.ts'
import { hashSecret, isWellFormedSecret } from '../../kit/random.ts'
import { callerLimitsOf } from '../limits/index.ts'
import { apiKeyPrefix } from './api-key.ts'
import { keyOfHash, refusalOfHash } from './api-keys.sql.ts'
import type { Authenticated } from './authentication-cache.ts'

export type AuthenticatorParts = Pick<
  App,
  'db' | 'clock' | 'settings' | 'authentications' | 'lastUses'
>
export type TokenReader = (token: string) => Promise<Caller | undefined>

/**
 * Authenticates API keys of this environment. Undefined for a key that is mistyped (no query is
 * made), unknown, revoked or expired, or whose account is closed. Rejects with DatabaseUnavailable.
 */
export function authenticateApiKeys(parts: AuthenticatorParts): TokenReader {
  const { clock, authentications, lastUses } = parts
  const prefix = apiKeyPrefix(parts.settings.environment)
  return async (token) => {
    if (!isWellFormedSecret(prefix, token)) return undefined
    const hash = hashSecret(token)
    const found = await authentications.authenticate(hash, () => lookUpKey(parts, hash))
    if (!found) return undefined
    const now = clock.now()
    if (found.expires_at !== null && found.expires_at <= now) return undefined
    if (found.caller.kind === 'api_key') lastUses.api_keys.note(found.caller.key_id, now)
    return found.caller
  }
}

/** Why a token is refused, and the next step: its bearer may know, as the token is a secret. */
export type TokenRefusal = { detail: string; hint: string; page?: string }
export type RefusalReader = (token: string) => Promise<TokenRefusal | undefined>

const another = 'Ask the owner for another key: the dashboard makes them at "API keys".'

/** Why authenticateApiKeys refuses a key of this environment. It makes a query of its own. */
export function explainApiKeys({ db, settings }: Pick<App, 'db' | 'settings'>): RefusalReader {
  const prefix = apiKeyPrefix(settings.environment)
  return async (token) => {
    if (!isWellFormedSecret(prefix, token))
      return {
        detail: 'The API key is mistyped or cut off: its checksum is wrong.',
        hint: 'Send the whole key, as it was shown when it was created.',
      }
    const row = await db.lookUp(refusalOfHash, { key_hash: hashSecret(token) })
    if (!row) return { detail: 'The API key is unknown; it may have been rotated.', hint: another }
    const { revoked_at, expires_at, closed } = row
    if (revoked_at) return { detail: 'The API key is revoked.', hint: another }
    if (closed)
      return { detail: 'The account of this API key is closed.', hint: 'Contact support.' }
    return expires_at
      ? { detail: `The API key expired at ${expires_at.toISOString()}.`, hint: another }
      : undefined
  }
}

async function lookUpKey(
  { db }: AuthenticatorParts,
  hash: Buffer,
): Promise<Authenticated | undefined> {
  const row = await db.lookUp(keyOfHash, { key_hash: hash })
  if (!row) return undefined
  const caller: Caller = {
    kind: 'api_key',
    customer_id: row.customer_id,
    suspended: row.suspended,
    key_id: row.id,
    key_hash: hash,
    label: row.name,
    scopes: new Set(foldScopes(row.scopes)),
    limits: callerLimitsOf(row.limits),
  }
  return { caller, expires_at: row.expires_at }
}
