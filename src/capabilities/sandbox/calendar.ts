// Keeps a node's calendar at the sandbox's time, whichever node moved it.
import type { Logger } from 'pino'
import type { SandboxControl } from '../../adapters/registry/sandbox-control.ts'
import type { Database } from '../../db/database.ts'
import type { Calendar } from '../../kit/clock.ts'
import { notifyOffset, putOffset, readOffset } from './calendar.sql.ts'

type Kept = { db: Database; log: Logger; calendar: Calendar }

// Tolerance between two readings of one clock; a jump is far longer.
const noise_ms = 2_000

/**
 * Makes the calendar follow the row; the returned function ends that. The registries' control, if
 * it is known, is asked first, since their store may have jumped without us, or be new.
 */
export async function followSandboxClock(
  { db, log, calendar }: Kept,
  control: SandboxControl | null,
): Promise<() => Promise<void>> {
  let notified = 0
  const reread = async () => {
    const before = notified
    const { offset_ms } = await db.one(readOffset)
    // A notification that came meanwhile is newer.
    if (notified === before) calendar.set(Number(offset_ms))
  }
  const stopListening = await db.listen('sandbox_clock', {
    notified: (offset_ms) => {
      notified += 1
      calendar.set(Number(offset_ms))
    },
    reconnected: () => {
      reread().catch((error) => log.error({ err: error }, "the sandbox's time was not read"))
    },
  })
  await reread()
  if (control) await agree({ db, log, calendar }, control)
  return stopListening
}

async function agree({ db, log, calendar }: Kept, control: SandboxControl): Promise<void> {
  const measured = offsetOf(await control.now(), calendar)
  const before_ms = calendar.offset_ms()
  if (Math.abs(measured - before_ms) <= noise_ms) return
  await db.transaction(async (sql) => {
    await sql.one(putOffset, { offset_ms: BigInt(measured) })
    await sql.one(notifyOffset, { offset_ms: BigInt(measured) })
  })
  calendar.set(measured)
  log.warn({ before_ms, offset_ms: measured }, "the sandbox's time is set to its registries'")
}

/**
 * How far the registries are ahead of the service's clock, from their time a moment ago: so it is
 * rather too small, and no calendar is ahead of them.
 */
export function offsetOf(now: Date, calendar: Calendar): number {
  return calendar.offset_ms() + now.getTime() - calendar.now().getTime()
}
