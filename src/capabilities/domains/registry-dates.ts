// Comparison of our dates with those of a registry, whose clock differs from ours by minutes, and
// whose expiry dates differ by some days. Pure.
import { day_ms, dayOf } from '../../kit/clock.ts'

/** The largest difference between the clocks of two registrars. */
export const skewMs = 5 * 60_000

/** Whether `at` is not before `since`, as far as the clocks of two registrars agree. */
export function isSince(at: Date, since: Date | string): boolean {
  return at.getTime() >= new Date(since).getTime() - skewMs
}

/** Whether both are the same day or neighbors, because registries differ about 29 February. */
export function sameDay(a: Date, b: Date): boolean {
  return Math.abs(Date.parse(dayOf(a)) - Date.parse(dayOf(b))) <= day_ms
}

/**
 * How many years b is ahead of a, negative if it is behind. Ten days less than a year count as one,
 * because registries move dates by some days.
 */
export function yearsAhead(a: Date, b: Date): number {
  const apart = b.getTime() - a.getTime()
  const years = Math.floor((Math.abs(apart) + 10 * day_ms) / (365.2425 * day_ms))
  return apart < 0 && years > 0 ? -years : years
}
