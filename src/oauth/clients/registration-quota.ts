// A cap on unused clients: registration needs no authentication, so it must not fill the database.

import type { Database } from '../../db/database.ts'
import { monotonicMs } from '../../kit/clock.ts'
import {
  countUnusedClients,
  deleteUnusedClients,
  lockUnusedClients,
} from '../storage/clients.sql.ts'

const recount_ms = 10_000
/** Clients this young may be about to request an authorization. */
const young_s = 600
// An address with this many newer clients is not a user with an app. All clients of such addresses
// together must not lock out the others.
const share = 10
const share_s = 60
const purgedAtOnce = 500

type Purge = {
  /** Newer clients stay. */
  older_s: number
  /** Clients older than this are deleted, too, if their address has `share` newer ones. */
  share_s: number
  most: number
}

/**
 * Deletes unused clients and returns how many, starting with the address that has most. It works in
 * two steps, so that a use which is committed between finding and deleting is seen.
 */
export function purgeUnusedClients(
  db: Database,
  { older_s, share_s, most }: Purge,
): Promise<number> {
  return db.transaction(async (sql) => {
    const found = await sql.run(lockUnusedClients, {
      age_s: older_s,
      surplus_age_s: share_s,
      address_quota: share,
      limit: most,
    })
    const ids = found.flatMap(({ client_id }) => client_id ?? [])
    return ids.length === 0 ? 0 : sql.count(deleteUnusedClients, { client_ids: ids })
  })
}

type RegistrationQuotaOptions = { most?: number; now_ms?: () => number }
/** Whether one more client may register. If it may, one is taken from the quota. */
export type RegistrationQuota = () => Promise<boolean>

/**
 * At most `most` unused clients (10,000). At the limit unused ones are deleted, starting with the
 * address that has most; those of the last ten minutes stay, but of one address only the last ten
 * are sure of more than a minute. Where none can be deleted, registrations are rejected. The count
 * is renewed every 10 s, so several nodes together may exceed it by what they admit meanwhile.
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
    const row = await db.one(countUnusedClients, { limit: most + purgedAtOnce })
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
