// The cap on clients that nobody consented to: registration asks nobody, so it must not fill the
// database.

import type { Database } from '../../db/database.ts'
import { monotonicMs } from '../../kit/clock.ts'
import {
  countUnusedClients,
  deleteUnusedClients,
  lockUnusedClients,
} from '../storage/clients.sql.ts'

const recount_ms = 10_000
/** They may be about to ask for an authorization. */
const young_s = 600
// Who has that many younger ones is no person at a program: all of them together must not keep the
// others out.
const share = 10
const share_s = 60
const purgedAtOnce = 500

export type Purge = {
  /** Younger ones stay. */
  older_s: number
  /** Ones that are older than this go too if their address has `share` younger ones. */
  share_s: number
  most: number
}

/**
 * Deletes unused clients, and answers how many: those of the address with most go first. In two
 * steps, so that a use which was committed between finding and deleting is seen.
 */
export function purgeUnusedClients(
  db: Database,
  { older_s, share_s, most }: Purge,
): Promise<number> {
  return db.transaction(async (sql) => {
    const found = await sql.run(lockUnusedClients, [older_s, share_s, share, most])
    const ids = found.flatMap(({ client_id }) => client_id ?? [])
    return ids.length === 0 ? 0 : sql.count(deleteUnusedClients, [ids])
  })
}

export type RegistrationQuotaOptions = { most?: number; now_ms?: () => number }
/** Whether there is room for one more; it is taken with the answer. */
export type RegistrationQuota = () => Promise<boolean>

/**
 * Room for `most` unused clients (10,000). When it is full, unused ones go, of the address with
 * most first; those of the last ten minutes stay, but of one address only the last ten are sure of
 * more than a minute. Without room nobody is let in. The count is renewed every 10 s, so several
 * nodes together may be over it by what they let in meanwhile.
 */
export function openRegistrationQuota(
  db: Database,
  options: RegistrationQuotaOptions = {},
): RegistrationQuota {
  const { most = 10_000, now_ms = monotonicMs } = options
  let unused = 0
  let counted_ms = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | null = null

  async function recount(): Promise<void> {
    const row = await db.one(countUnusedClients, [most + purgedAtOnce])
    unused = row.unused
    if (unused >= most)
      unused -= await purgeUnusedClients(db, { older_s: young_s, share_s, most: purgedAtOnce })
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
