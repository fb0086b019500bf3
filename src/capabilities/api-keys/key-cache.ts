// Whom this process authenticated in the last seconds, and which keys were used: one for each
// database.

import { LruMap } from 'toad-cache'
import type { Caller } from '../../app.ts'
import type { Database } from '../../db/database.ts'
import { monotonicMs } from '../../kit/clock.ts'

/** A caller, and when its token ends by itself. */
export type Authenticated = { caller: Caller; expires_at: Date | null }
type Entry = { found: Promise<Authenticated | undefined>; until_ms: number }

// Decisions part 2: an end of access holds on every node within 5 s, also where its notification
// was lost.
const remembered_ms = 3_000
const most = 10_000

export class Access {
  /** Keys used since the last flush, with the moment of the last use. */
  readonly uses = new Map<bigint, Date>()
  readonly #db: Database
  readonly #entries = new LruMap<Entry>(most)
  #listening: Promise<unknown> | null = null
  #unsure_until_ms = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** What `look` finds for this hash, remembered for 3 s; callers at the same time look once. */
  async authenticate(
    hash: Buffer,
    look: () => Promise<Authenticated | undefined>,
  ): Promise<Authenticated | undefined> {
    this.#listen()
    const key = hash.toString('base64')
    const now_ms = monotonicMs()
    if (now_ms < this.#unsure_until_ms) return look()
    const known = this.#entries.get(key)
    if (known && now_ms < known.until_ms) return known.found
    const entry = { found: look(), until_ms: now_ms + remembered_ms }
    this.#entries.set(key, entry)
    const purge = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    }
    entry.found.then((found) => found ?? purge(), purge)
    return entry.found
  }

  /**
   * Purges everybody now, and asks the database for each call until a transaction under way has
   * ended.
   */
  endSoon(): void {
    this.#entries.clear()
    this.#unsure_until_ms = monotonicMs() + remembered_ms
  }

  #listen(): void {
    const purge = () => this.#entries.clear()
    this.#listening ??= this.#db
      .listen('access_revoked', { notified: purge, reconnected: purge })
      // Without a listener the 3 s hold alone; the next call tries again.
      .catch(() => {
        this.#listening = null
      })
  }
}

const accesses = new WeakMap<Database, Access>()

/** The one of this database. */
export function accessOf(db: Database): Access {
  const known = accesses.get(db)
  if (known) return known
  const access = new Access(db)
  accesses.set(db, access)
  return access
}
