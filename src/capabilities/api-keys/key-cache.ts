// Authentication cache, with expiry and invalidation by NOTIFY, and the noted uses of keys: one for
// each database.

import { LruMap } from 'toad-cache'
import type { Caller } from '../../app.ts'
import type { Database } from '../../db/database.ts'
import { monotonicMs } from '../../kit/clock.ts'

/** A caller, and when its token expires. */
export type Authenticated = { caller: Caller; expires_at: Date | null }
type Entry = { found: Promise<Authenticated | undefined>; until_ms: number }

// Decisions part 2: a revocation holds on every node within 5 s, even if its notification was lost.
const ttl_ms = 3_000
const max_entries = 10_000

class Access {
  /** Keys used since the last flush, with the moment of the last use. */
  readonly uses = new Map<bigint, Date>()
  readonly #db: Database
  readonly #entries = new LruMap<Entry>(max_entries)
  #listening: Promise<unknown> | null = null
  #bypass_until_ms = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** The result of `look` for this hash, cached for 3 s; concurrent callers share one look-up. */
  async authenticate(
    hash: Buffer,
    look: () => Promise<Authenticated | undefined>,
  ): Promise<Authenticated | undefined> {
    this.#listen()
    const key = hash.toString('base64')
    const now_ms = monotonicMs()
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
    this.#bypass_until_ms = monotonicMs() + ttl_ms
  }

  #listen(): void {
    const purge = () => this.#entries.clear()
    this.#listening ??= this.#db
      .listen('access_revoked', { notified: purge, reconnected: purge })
      // Without a listener only the 3 s hold; the next call tries again.
      .catch(() => {
        this.#listening = null
      })
  }
}

const accesses = new WeakMap<Database, Access>()

/** The cache of this database. */
export function accessOf(db: Database): Access {
  const known = accesses.get(db)
  if (known) return known
  const access = new Access(db)
  accesses.set(db, access)
  return access
}
