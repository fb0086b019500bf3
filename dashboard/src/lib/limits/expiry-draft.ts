// The expiry of an API key while it is edited.
const day_ms = 86_400_000

export type ExpiryChoice = 'kept' | 'never' | '30' | '90' | '365' | 'day'
/** `day` is the value of a date field, such as "2026-12-01". */
export type ExpiryDraft = { choice: ExpiryChoice; day: string }

export function expiryDraftOf(expires_at: string | null): ExpiryDraft {
  return { choice: expires_at === null ? 'never' : 'kept', day: '' }
}

/**
 * The time of expiry, or null for never: the end of the chosen day in the reader's time zone.
 * Without a day it is an empty text, which the service refuses.
 */
export function expiryOf(
  { choice, day }: ExpiryDraft,
  old: string | null,
  now = Date.now(),
): string | null {
  switch (choice) {
    case 'kept':
      return old
    case 'never':
      return null
    case 'day':
      return endOfDay(day)
    case '30':
    case '90':
    case '365':
      return new Date(now + Number(choice) * day_ms).toISOString()
  }
}

function endOfDay(day: string): string {
  const end = new Date(`${day}T23:59:59`)
  return Number.isNaN(end.getTime()) ? '' : end.toISOString()
}
