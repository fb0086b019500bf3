// What a domain's stored facts mean today: its one flat status, its years, and when its truth is
// read next. Pure.
import type { Chance } from '../../../kit/clock.ts'
import type { Status } from '../schemas.ts'

export type LifeFacts = {
  /** Until when the customer has paid. */
  expiry: Date
  registry_expiry: Date
  epp_statuses: readonly string[]
  rgp_statuses: readonly string[]
}

/** The status of a holding that has not ended. The registry's facts come first, then the date. */
export function lifeStatus(facts: LifeFacts, now: Date): Status {
  const { epp_statuses: epp, rgp_statuses: rgp } = facts
  if (rgp.includes('redemptionPeriod') || rgp.includes('pendingRestore')) return 'redemption'
  if (rgp.includes('pendingDelete') || epp.includes('pendingDelete')) return 'pending_delete'
  if (epp.includes('pendingTransfer')) return 'transfer_pending'
  return facts.expiry.getTime() <= now.getTime() ? 'expired' : 'active'
}

const hour = 3_600_000
const day = 24 * hour
const nearMs = 3 * day

/**
 * When the registry is read next: daily; hourly near an expiry and while anything but "active" is
 * shown; and soon after the moment at which a registry renews by itself.
 */
export function nextSync(facts: LifeFacts, { now, chance }: { now: Date; chance: Chance }): Date {
  const at = now.getTime()
  const turns = [facts.expiry.getTime(), facts.registry_expiry.getTime()]
  const near = turns.some((turn) => Math.abs(turn - at) < nearMs)
  const calm = lifeStatus(facts, now) === 'active' && !near
  // Spread over a tenth, so that holdings of one day do not all come due in one minute for ever.
  const spread = 1 - 0.1 * chance()
  const next = at + (calm ? day : hour) * spread
  const soonAfter = turns.map((turn) => turn + 60_000).filter((turn) => turn > at)
  return new Date(Math.min(next, ...soonAfter))
}

/** The same day and time so many years later; 29 February becomes 28 February. */
export function addYears(date: Date, years: number): Date {
  const later = new Date(date)
  later.setUTCFullYear(date.getUTCFullYear() + years)
  // The day overflowed into the next month.
  if (later.getUTCDate() !== date.getUTCDate()) later.setUTCDate(0)
  return later
}

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * day)
}

/** YYYY-MM-DD in UTC: what a fence and an expiry are compared by (RFC 5731 curExpDate). */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** Whether both are the same day, or neighbours: registries differ about 29 February. */
export function sameDay(a: Date, b: Date): boolean {
  return Math.abs(Date.parse(dayOf(a)) - Date.parse(dayOf(b))) <= day
}

/**
 * How many years b is ahead of a; negative when it is behind. Ten days less than a year is one:
 * registries move dates by some days.
 */
export function yearsAhead(a: Date, b: Date): number {
  const apart = b.getTime() - a.getTime()
  const years = Math.floor((Math.abs(apart) + 10 * day) / (365.2425 * day))
  return apart < 0 && years > 0 ? -years : years
}
