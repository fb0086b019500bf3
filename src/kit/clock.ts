// Clocks and randomness as parameters, and arithmetic of dates and durations. The service goes by
// the database's clock, to which each node's is synchronized; a test may bring one that jumps.

import type { Logger } from 'pino'

export type Clock = { now: () => Date }

/**
 * This machine's clock. Nodes may disagree about it, so nothing that is stored or compared is read
 * here.
 */
export const systemClock: Clock = { now: () => new Date() }

/** Milliseconds of this process, which no step of a clock moves. They measure durations alone. */
export function monotonicMs(): number {
  return performance.now()
}

/**
 * A number from 0 up to, but not including, 1, which spreads work in time. Secrets and identifiers
 * come from random.ts.
 */
export type Chance = () => number

export const systemChance: Chance = () => Math.random()

/** The registries' time where it is not the service's clock: that of the sandbox can jump. */
export type Calendar = Clock & {
  /** How far it is ahead of the service's clock, in milliseconds. */
  offset_ms: () => number
  set: (offset_ms: number) => void
}

/** A clock at an offset from another. The offset begins at zero. */
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

/** The day in UTC, as YYYY-MM-DD. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/**
 * A duration of ISO 8601 in whole numbers without a sign: its calendar parts, and the rest as
 * milliseconds.
 */
type Duration = { months: number; ms: number }

const durationForm = new RegExp(
  '^P(?=[0-9T])(?:([0-9]{1,5})Y)?(?:([0-9]{1,5})M)?(?:([0-9]{1,5})W)?(?:([0-9]{1,5})D)?' +
    '(?:T(?=[0-9])(?:([0-9]{1,7})H)?(?:([0-9]{1,7})M)?(?:([0-9]{1,9})S)?)?$',
)

const second_ms = 1_000

/** Reads "P1Y2M3W4DT5H6M7S" or any part of it. Undefined for other text. */
export function parseDuration(text: string): Duration | undefined {
  const parts = durationForm.exec(text)
  if (!parts) return undefined
  const part = (i: number) => Number(parts[i] ?? 0)
  const rest_s = (part(5) * 60 + part(6)) * 60 + part(7)
  return {
    months: part(1) * 12 + part(2),
    ms: (part(3) * 7 + part(4)) * day_ms + rest_s * second_ms,
  }
}

/**
 * Adds in UTC. The 31st of a month without one is its last day. The result is an Invalid Date
 * beyond the range of Date.
 */
export function addDuration(from: Date, { months, ms }: Duration): Date {
  const moved = new Date(from)
  const day = moved.getUTCDate()
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(day, last))
  return new Date(moved.getTime() + ms)
}

/** A clock that follows a server's. */
export type SyncedClock = Clock & {
  /** How far this machine's own clock is ahead of it, in milliseconds. */
  skew_ms: () => number
  /** Asks the server once; it does so automatically every `every_ms`. */
  measure: () => Promise<void>
  close: () => Promise<void>
}

type SyncedClockParts = {
  /** Asks the server for its time. */
  server_time: () => Promise<Date>
  log: Pick<Logger, 'error' | 'info' | 'debug'>
  every_ms?: number
  /** Milliseconds that no setting of a clock moves. */
  monotonic_ms?: () => number
  /** This machine's own clock, which may be wrong. */
  machine?: Clock
}

/** A machine's clock that is off by this much raises the alarm. */
export const skew_alarm_ms = 60_000

/**
 * The offset of two clocks by a measurement's bounds: the answer was made between the question and
 * its arrival. Within the bounds the last estimate stays, so a slow answer moves nothing.
 */
export function estimateOf(
  last: number | null,
  { least, most }: { least: number; most: number },
): number {
  return last === null ? (least + most) / 2 : Math.min(Math.max(last, least), most)
}

/**
 * Clock synchronization (Cristian's algorithm): a server's time, carried on between measurements by
 * this machine's monotonic clock, so that all nodes of one server agree, whatever their own clocks
 * show (decision 25). It is measured twice before it is used, because the first time also pays for
 * connecting.
 */
export async function openSyncedClock(parts: SyncedClockParts): Promise<SyncedClock> {
  const { server_time, log, machine = systemClock, every_ms = 10_000 } = parts
  const monotonic_ms = parts.monotonic_ms ?? monotonicMs
  let offset_ms: number | null = null
  let alarmed = false
  let measuring: Promise<void> = Promise.resolve()

  const now_ms = () => Math.floor(monotonic_ms() + (offset_ms ?? 0))
  const skew_ms = () => machine.now().getTime() - now_ms()

  async function measureOnce(): Promise<void> {
    const asked_ms = monotonic_ms()
    const at_ms = (await server_time()).getTime()
    const least = at_ms - monotonic_ms()
    // The server's moment has microseconds, of which a Date keeps none.
    const most = at_ms + 1 - asked_ms
    offset_ms = estimateOf(offset_ms, { least, most })
    reportSkew()
  }

  function reportSkew(): void {
    const skew = skew_ms()
    const isOff = Math.abs(skew) > skew_alarm_ms
    if (isOff === alarmed) return
    alarmed = isOff
    if (isOff) log.error({ skew_ms: skew, alarm: 'clock_skew' }, "this machine's clock is wrong")
    else log.info({ skew_ms: skew }, "this machine's clock is right again")
  }

  function measure(): Promise<void> {
    const mine = measuring.then(measureOnce)
    measuring = mine.catch(() => undefined)
    return mine
  }

  await measure()
  await measure()
  const timer = setInterval(() => {
    // While the server is away, the monotonic clock carries the time on.
    measure().catch((error) => log.debug({ err: error }, "the database's time was not read"))
  }, every_ms)
  timer.unref()
  return {
    now: () => new Date(now_ms()),
    skew_ms,
    measure,
    async close() {
      clearInterval(timer)
      await measuring
    },
  }
}
