// API key authentication: checks the checksum, then looks the SHA-256 up in an index; all failures
// give the same result. With the cache, purged by NOTIFY at a revocation on any node, and the last
// uses that sessions and access tokens share.

import { type App, type Caller, foldScopes } from '../../app.ts'
import { Subscription } from '../../db/database.ts'
import { type ExpiringMap, newExpiringMap } from '../../kit/expiring-map.ts'
import { hashSecret, isWellFormedSecret } from '../../kit/random.ts'
import { callerLimitsOf } from '../limits/index.ts'
import { apiKeyPrefix } from './api-key.ts'
import { keyOfHash, refusalOfHash } from './api-keys.sql.ts'

/** A caller, and when its token expires. */
type Authenticated = { caller: Caller; expires_at: Date | null }
type Found = Promise<Authenticated | undefined>

// A revocation holds on every node within 5 s, even if its notification was lost
// (decision 10).
const ttl_ms = 3_000
const max_entries = 10_000

declare module '../../app.ts' {
  interface App {
    authentications: AuthenticationCache
  }
}

type CacheParts = Pick<App, 'db' | 'monotonic_ms'>

/** Of API keys, sessions and access tokens, with expiry and invalidation by NOTIFY. */
export class AuthenticationCache {
  readonly #parts: CacheParts
  readonly #entries: ExpiringMap<Found>
  readonly #revocations: Subscription
  #bypass_until_ms = 0

  constructor(parts: CacheParts) {
    this.#parts = parts
    const { monotonic_ms } = parts
    this.#entries = newExpiringMap({ max: max_entries, ttl_ms, monotonic_ms })
    const purge = () => this.#entries.clear()
    this.#revocations = new Subscription(parts.db, 'access_revoked', {
      notified: purge,
      reconnected: purge,
    })
  }

  /** The result of `look` for this hash, cached for 3 s; concurrent callers share one look-up. */
  async authenticate(hash: Buffer, look: () => Found): Found {
    // Without a connection only the 3 s hold.
    this.#revocations.begin()
    const key = hash.toString('base64')
    if (this.#parts.monotonic_ms() < this.#bypass_until_ms) return look()
    const known = this.#entries.get(key)
    if (known) return known
    const looking = look()
    this.#entries.set(key, looking)
    const purge = () => {
      if (this.#entries.peek(key) === looking) this.#entries.delete(key)
    }
    looking.then((found) => found ?? purge(), purge)
    return looking
  }

  /**
   * Purges all entries, and bypasses the cache until transactions under way have ended.
   */
  invalidate(): void {
    this.#entries.clear()
    this.#bypass_until_ms = this.#parts.monotonic_ms() + ttl_ms
  }
}

/**
 * Write-behind of the times of last use: calls note them in memory, and a job writes many in one
 * statement.
 */
export class LastUses<Id> {
  readonly #times = new Map<Id, Date>()

  get size(): number {
    return this.#times.size
  }

  note(id: Id, at: Date): void {
    this.#times.set(id, at)
  }

  /** The stored time, or a later one that is not written yet. */
  latest(id: Id, stored: Date | null): Date | null {
    const noted = this.#times.get(id)
    return noted && (stored === null || noted > stored) ? noted : stored
  }

  /** Those that `write` could not write are kept, unless a later use came meanwhile. */
  async flush(write: (ids: Id[], times: Date[]) => Promise<unknown>): Promise<void> {
    if (this.#times.size === 0) return
    const taken = [...this.#times]
    this.#times.clear()
    try {
      await write(
        taken.map(([id]) => id),
        taken.map(([, at]) => at),
      )
    } catch (error) {
      for (const [id, at] of taken) if (!this.#times.has(id)) this.#times.set(id, at)
      throw error
    }
  }
}

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

/** Why a token is refused, and the next step: its bearer may know, as the token is a secret. */
export type TokenRefusal = { detail: string; hint: string; page?: string }
export type RefusalReader = (token: string) => Promise<TokenRefusal | undefined>

const another = 'Ask the owner for another key: the dashboard makes them at "API keys".'

/** Why authenticateApiKeys refuses a key of this environment; costs a query of its own. */
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
