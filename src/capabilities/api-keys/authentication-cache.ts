// Authentication cache of API keys, sessions and access tokens, with expiry and invalidation by
// NOTIFY.

import { LruMap } from 'toad-cache'
import type { App, Caller } from '../../app.ts'

/** A caller, and when its token expires. */
export type Authenticated = { caller: Caller; expires_at: Date | null }
type Entry = { found: Promise<Authenticated | undefined>; until_ms: number }

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

export class AuthenticationCache {
  readonly #parts: CacheParts
  readonly #entries = new LruMap<Entry>(max_entries)
  #listening: Promise<unknown> | null = null
  #bypass_until_ms = 0

  constructor(parts: CacheParts) {
    this.#parts = parts
  }

  /** The result of `look` for this hash, cached for 3 s; concurrent callers share one look-up. */
  async authenticate(
    hash: Buffer,
    look: () => Promise<Authenticated | undefined>,
  ): Promise<Authenticated | undefined> {
    this.#listen()
    const key = hash.toString('base64')
    const now_ms = this.#parts.monotonic_ms()
    if (now_ms < this.#bypass_until_ms) return look()
    const known = this.#entries.get(key)
    if (known && now_ms < known.until_ms) return known.found
    const entry = { found: look(), until_ms: now_ms + ttl_ms }
    this.#entries.set(key, entry)
    const purge = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    }
    entry.found.then((found) => found ?? purge(), purge)
    return entry.found
  }

  /**
   * Purges all entries, and bypasses the cache until transactions under way have ended.
   */
  invalidate(): void {
    this.#entries.clear()
    this.#bypass_until_ms = this.#parts.monotonic_ms() + ttl_ms
  }

  #listen(): void {
    const purge = () => this.#entries.clear()
    this.#listening ??= this.#parts.db
      .listen('access_revoked', { notified: purge, reconnected: purge })
      // Without a listener only the 3 s hold; the next call tries again.
      .catch(() => {
        this.#listening = null
      })
  }
}
