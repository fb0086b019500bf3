// Days of bookkeeping, in UTC: the fields of a request, and the moments at their ends.
import { FieldReader } from '../../kit/field-reader.ts'
import { patterned } from '../../kit/schema.ts'

/**
 * A transfer has the time at which it was written, and is committed a moment later: its transaction
 * has few statements, of at most ten seconds each (db/postgres/connection.ts).
 */
const longest_transaction_ms = 5 * 60_000

export function dayField(description: string) {
  return patterned(
    '^2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
    'a day, such as "2026-11-22"',
    { description },
  )
}

/** `to` is the first moment after the last day. */
export type Days = { from: Date; to: Date }

/** Throws 422 for a day that its month does not have, and for a last day before the first. */
export function readDays({ from, to }: { from: string; to: string }): Days {
  const reading = new FieldReader()
  const first = dayOf(reading, 'from', from)
  const last = dayOf(reading, 'to', to)
  if (first > last) reading.refuse(['from'], 'Input should not be after "to"')
  reading.finish()
  return { from: first, to: dayAfter(last) }
}

/** One day. Throws 422 for one that its month does not have. */
export function readDay(field: string, given: string): Days {
  const reading = new FieldReader()
  const from = dayOf(reading, field, given)
  reading.finish()
  return { from, to: dayAfter(from) }
}

function dayAfter(day: Date): Date {
  return new Date(day.getTime() + 86_400_000)
}

function dayOf(reading: FieldReader, field: string, given: string): Date {
  const day = new Date(`${given}T00:00:00Z`)
  if (day.toISOString().slice(0, 10) !== given)
    reading.refuse([field], 'Input should be a day that there is')
  return day
}

/** Whether no transfer of the time before can still be committed. */
export function isComplete(end: Date, now: Date): boolean {
  return end.getTime() + longest_transaction_ms <= now.getTime()
}
