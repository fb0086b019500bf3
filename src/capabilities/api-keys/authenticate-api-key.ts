// API key authentication: checks the checksum, then looks the SHA-256 up in an index. All failures
// give the same result.
import { type App, type Caller, scopes } from '../../app.ts'
import type { LastUses } from '../../kit/last-uses.ts'
import { hashSecret, isWellFormedSecret } from '../../kit/random.ts'
import { apiKeyPrefix } from './api-key.ts'
import { keyOfHash, operatorOfHash } from './api-keys.sql.ts'
import type { Authenticated } from './authentication-cache.ts'

declare module '../../app.ts' {
  interface App {
    /** Uses of API keys on this node. */
    keyUses: LastUses<bigint>
  }
}

export type AuthenticatorParts = Pick<
  App,
  'db' | 'clock' | 'settings' | 'authentications' | 'keyUses'
>
export type TokenReader = (token: string) => Promise<Caller | undefined>

/**
 * Authenticates API keys of this environment. Undefined for a key that is mistyped (no query is
 * made), unknown, revoked or expired, or whose account is closed. Rejects with DatabaseUnavailable.
 */
export function authenticateApiKeys(parts: AuthenticatorParts): TokenReader {
  const { clock, authentications, keyUses } = parts
  const prefix = apiKeyPrefix(parts.settings.environment)
  return async (token) => {
    if (!isWellFormedSecret(prefix, token)) return undefined
    const hash = hashSecret(token)
    const found = await authentications.authenticate(hash, () => lookUpKey(parts, hash))
    if (!found) return undefined
    const now = clock.now()
    if (found.expires_at !== null && found.expires_at <= now) return undefined
    if (found.caller.kind === 'api_key') keyUses.note(found.caller.key_id, now)
    return found.caller
  }
}

async function lookUpKey(
  { db }: AuthenticatorParts,
  hash: Buffer,
): Promise<Authenticated | undefined> {
  const row = await db.lookUp(keyOfHash, { key_hash: hash })
  if (!row) return undefined
  const held = scopes.filter((scope) => row.scopes.includes(scope))
  const caller: Caller = {
    kind: 'api_key',
    customer_id: row.customer_id,
    suspended: row.suspended,
    key_id: row.id,
    label: row.name,
    scopes: new Set(held),
  }
  return { caller, expires_at: row.expires_at }
}

/**
 * Authenticates operator keys. Undefined for one that is unknown or revoked. Rejects with
 * DatabaseUnavailable.
 */
export function authenticateOperators({ db, authentications }: AuthenticatorParts): TokenReader {
  return async (token) => {
    const hash = hashSecret(token)
    const found = await authentications.authenticate(hash, async () => {
      const row = await db.lookUp(operatorOfHash, { key_hash: hash })
      const caller: Caller | undefined = row && {
        kind: 'operator',
        key_id: row.id,
        label: row.label,
      }
      return caller && { caller, expires_at: null }
    })
    return found?.caller
  }
}
