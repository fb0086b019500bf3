// The service's clock: the database server's time, carried on between measurements by this
// machine's monotonic clock. All nodes of one database agree, whatever their own clocks show.
import type { Logger } from 'pino'
import { type Clock, monotonicMs, systemClock } from '../../kit/clock.ts'
import type { Sql } from '../database.ts'
import { databaseTime } from '../server.sql.ts'

export type DatabaseClock = Clock & {
  /** How far this machine's own clock is ahead of it, in milliseconds. */
  skew_ms: () => number
  /** Asks the database once; it does so by itself every `every_ms`. */
  measure: () => Promise<void>
  close: () => Promise<void>
}

type DatabaseClockParts = {
  db: Sql
  log: Pick<Logger, 'error' | 'info' | 'debug'>
  every_ms?: number
  /** Milliseconds that no setting of a clock moves. */
  monotonic_ms?: () => number
  /** This machine's own clock, which may be wrong. */
  machine?: Clock
}

/** From this on, a machine's clock raises the alarm. */
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

/** Measured twice before it is used: the first time also pays for the connection. */
export async function openDatabaseClock(parts: DatabaseClockParts): Promise<DatabaseClock> {
  const { db, log, machine = systemClock, every_ms = 10_000 } = parts
  const monotonic_ms = parts.monotonic_ms ?? monotonicMs
  let offset_ms: number | null = null
  let alarmed = false
  let measuring: Promise<void> = Promise.resolve()

  const now_ms = () => Math.floor(monotonic_ms() + (offset_ms ?? 0))
  const skew_ms = () => machine.now().getTime() - now_ms()

  async function measureOnce(): Promise<void> {
    const asked_ms = monotonic_ms()
    const at_ms = (await databaseTime(db)).getTime()
    const least = at_ms - monotonic_ms()
    // A database's moment has microseconds, of which a Date keeps none.
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
    // While the database is away, the monotonic clock carries the time on.
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
