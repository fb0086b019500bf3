// Clocks and randomness as parameters, and arithmetic of dates. The service goes by the database's
// clock (src/db/postgres/database-clock.ts); a test may bring one that jumps.

export type Clock = { now: () => Date }

/**
 * This machine's. Nodes may disagree about it, so nothing that is stored or compared is read here.
 */
export const systemClock: Clock = { now: () => new Date() }

/** Milliseconds of this process, which no step of a clock moves: for durations alone. */
export function monotonicMs(): number {
  return performance.now()
}

/** 0 <= x < 1, for what is spread in time. Secrets and identifiers come from random.ts. */
export type Chance = () => number

export const systemChance: Chance = () => Math.random()

/** The registries' time where it is not the service's clock: the sandbox's, which can jump. */
export type Calendar = Clock & {
  /** How far it is ahead of the service's clock, in milliseconds. */
  offset_ms: () => number
  set: (offset_ms: number) => void
}

/** A clock at an offset from another; at first there is none. */
export function openCalendar(clock: Clock = systemClock): Calendar {
  let offset = 0
  return {
    now: () => new Date(clock.now().getTime() + offset),
    offset_ms: () => offset,
    set: (offset_ms) => {
      offset = offset_ms
    },
  }
}

export const day_ms = 86_400_000

/** The same day and time so many years later; 29 February becomes 28 February. */
export function addYears(date: Date, years: number): Date {
  const later = new Date(date)
  later.setUTCFullYear(date.getUTCFullYear() + years)
  // The day overflowed into the next month.
  if (later.getUTCDate() !== date.getUTCDate()) later.setUTCDate(0)
  return later
}

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * day_ms)
}

/** YYYY-MM-DD in UTC. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
