// ISO 8601 durations, as far as a jump of the clock needs them: whole numbers, no sign.

/** Calendar parts, and the rest as milliseconds. */
type Duration = { months: number; ms: number }

const form = new RegExp(
  '^P(?=[0-9T])(?:([0-9]{1,5})Y)?(?:([0-9]{1,5})M)?(?:([0-9]{1,5})W)?(?:([0-9]{1,5})D)?' +
    '(?:T(?=[0-9])(?:([0-9]{1,7})H)?(?:([0-9]{1,7})M)?(?:([0-9]{1,9})S)?)?$',
)

const second_ms = 1_000
const day_ms = 86_400_000

/** "P1Y2M3W4DT5H6M7S" or any part of it; undefined for other words. */
export function parseDuration(text: string): Duration | undefined {
  const parts = form.exec(text)
  if (!parts) return undefined
  const part = (i: number) => Number(parts[i] ?? 0)
  const rest_s = (part(5) * 60 + part(6)) * 60 + part(7)
  return {
    months: part(1) * 12 + part(2),
    ms: (part(3) * 7 + part(4)) * day_ms + rest_s * second_ms,
  }
}

/** In UTC; the 31st of a month without one is its last day. Invalid Date beyond what it holds. */
export function addDuration(from: Date, { months, ms }: Duration): Date {
  const moved = new Date(from)
  const day = moved.getUTCDate()
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(day, last))
  return new Date(moved.getTime() + ms)
}
