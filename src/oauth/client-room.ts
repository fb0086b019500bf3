// The cap on clients that nobody consented to: registration asks nobody, so it must not fill the
// database.
import type { Sql } from '../db/database.ts'
import { countUnused, purgeUnused } from './clients.sql.ts'

const recount_ms = 10_000
/** They may be about to ask for an authorization. */
const young_s = 600
const purgedAtOnce = 500

export type RoomOptions = { most?: number; now_ms?: () => number }
/** Whether there is room for one more; it is taken with the answer. */
export type ClientRoom = () => Promise<boolean>

/**
 * Room for `most` unused clients (10,000). When it is full, the oldest unused ones go; those of the
 * last ten minutes stay, and nobody else is let in. The count is renewed every 10 s, so several
 * nodes together may be over it by what they let in meanwhile.
 */
export function openClientRoom(sql: Sql, options: RoomOptions = {}): ClientRoom {
  const { most = 10_000, now_ms = Date.now } = options
  let unused = 0
  let counted_ms = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | null = null

  async function recount(): Promise<void> {
    const row = await sql.one(countUnused, [most + purgedAtOnce])
    unused = row.unused
    if (unused >= most) unused -= await sql.count(purgeUnused, [young_s, purgedAtOnce])
    counted_ms = now_ms()
  }

  return async () => {
    if (now_ms() - counted_ms >= recount_ms) {
      counting ??= recount().finally(() => {
        counting = null
      })
      await counting
    }
    if (unused >= most) return false
    unused += 1
    return true
  }
}
