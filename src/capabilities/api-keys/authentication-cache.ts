// The authentication cache of a node: one look-up for many calls with one token, and none that
// outlives a revocation.
import type { App, Caller } from '../../app.ts'
import { Subscription } from '../../db/database.ts'
import { type ExpiringMap, newExpiringMap } from '../../kit/expiring-map.ts'

/** A caller, and when its token expires. */
export type Authenticated = { caller: Caller; expires_at: Date | null }
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

/**
 * The callers behind the API keys, operator keys, sessions and access tokens that were looked up
 * lately. Each entry expires after 3 s, and all are purged by NOTIFY at a revocation on any node.
 */
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
