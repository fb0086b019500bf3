// Leaky buckets in the database, exact and shared by all nodes: an attempt fills all of its buckets
// or none, in one statement, and may be given back. A refused attempt does not fill a bucket, so no
// account is locked out for good.
import type { Sql } from '../db/database.ts'
import { giveBackUnits, takeUnits } from './rate-limits.sql.ts'

/** `most` units are available at once, and then one more every `drain_s` seconds. */
export type Bucket = { key: string; most: number; drain_s: number }

/** The buckets that one attempt fills. */
export type Counted = {
  buckets: readonly Bucket[]
  /**
   * If `all` is full, no attempt is refused for that, but only the few attempts of `slow` are
   * admitted. It is null if there is no such bucket.
   */
  overflow: { all: Bucket; slow: Bucket } | null
}

/** The units that were taken, to be given back if the attempt succeeds. */
type Admitted = { wait_s: number; taken: readonly Bucket[] }

/**
 * Counts an attempt before it is checked. If `wait_s` is above 0, it was refused and nothing was
 * counted.
 */
export async function admit(sql: Sql, { buckets, overflow }: Counted): Promise<Admitted> {
  const wait_s = await take(sql, buckets)
  if (wait_s > 0) return { wait_s, taken: [] }
  if (!overflow) return { wait_s: 0, taken: buckets }
  if ((await take(sql, [overflow.all])) === 0)
    return { wait_s: 0, taken: [...buckets, overflow.all] }
  const slow_s = await take(sql, [overflow.slow])
  if (slow_s === 0) return { wait_s: 0, taken: [...buckets, overflow.slow] }
  await giveBack(sql, buckets)
  return { wait_s: slow_s, taken: [] }
}

/**
 * Puts one unit into every bucket and returns 0, or puts it into none and returns the seconds to
 * wait.
 */
export async function take(sql: Sql, buckets: readonly Bucket[]): Promise<number> {
  const { wait_s } = await sql.one(takeUnits, {
    keys: buckets.map(({ key }) => key),
    most: buckets.map(({ most }) => most),
    drain_s: buckets.map(({ drain_s }) => drain_s),
  })
  return wait_s
}

/** Gives one unit back to each bucket after a success, and empties those of `emptied`. */
export async function giveBack(
  sql: Sql,
  buckets: readonly Bucket[],
  emptied: readonly Bucket[] = [],
): Promise<void> {
  await sql.one(giveBackUnits, {
    keys: buckets.map(({ key }) => key),
    emptied: emptied.map(({ key }) => key),
  })
}
