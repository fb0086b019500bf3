// Amounts and dates in the reader's locale. Amounts are decimal strings, and never become numbers.

/**
 * Formats an amount exactly: Intl reads decimal strings without a detour through floating point.
 */
export function formatMoney(amount: string, currency: string): string {
  return decimalFormat(currency).format(amount)
}

type DecimalFormat = { format: (amount: string) => string }

function decimalFormat(currency: string): DecimalFormat {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
  // TypeScript's library accepts numeric literals only, although Intl formats any decimal string.
  const exact: { format: (amount: never) => string } = format
  return { format: (amount) => Reflect.apply(exact.format, format, [amount]) }
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

export function formatDay(iso: string): string {
  return dayFormat.format(new Date(iso))
}

const momentFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function formatMoment(iso: string): string {
  return momentFormat.format(new Date(iso))
}

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

export function formatTime(iso: string): string {
  return timeFormat.format(new Date(iso))
}

const longDayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

export function formatLongDay(iso: string): string {
  return longDayFormat.format(new Date(iso))
}

// Sweden writes dates as ISO 8601 does, so its locale formats the keys.
const dayKeyFormat = new Intl.DateTimeFormat('sv-SE')

/** The day in the reader's time zone, as "2026-11-22". */
export function dayKey(iso: string): string {
  return dayKeyFormat.format(new Date(iso))
}

/** Months are in UTC, as expiries are counted. */
const monthFormats = {
  short: new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' }),
  long: new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
}

export function formatMonth(month: Date, length: keyof typeof monthFormats): string {
  return monthFormats[length].format(month)
}

const utcDayFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

/** A day that begins at midnight in UTC, such as "December 1". */
export function formatUtcDay(iso: string): string {
  return utcDayFormat.format(new Date(iso))
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const day_ms = 86_400_000

/** The number of whole days from now, which is negative in the past. */
function daysUntil(iso: string, now = Date.now()): number {
  return Math.floor((Date.parse(iso) - now) / day_ms)
}

/** A time in the past, such as "5 minutes ago" or "yesterday". */
export function formatAgo(iso: string, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(iso)) / 60_000))
  if (minutes < 60) return relative.format(-minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? relative.format(-hours, 'hour') : formatDistance(iso, now)
}

/** The distance of a day from now, such as "in 12 days", "in 3 months" or "yesterday". */
export function formatDistance(iso: string, now = Date.now()): string {
  const days = daysUntil(iso, now)
  if (Math.abs(days) < 60) return relative.format(days, 'day')
  const months = Math.round(days / 30.44)
  return Math.abs(months) < 24
    ? relative.format(months, 'month')
    : relative.format(Math.round(days / 365.25), 'year')
}
