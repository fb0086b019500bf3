// Filter of API keys by their use, which finds keys that are no longer needed. The function is
// pure.

export const keyUses = ['recent', 'old', 'never'] as const
const recent_days = 30
const old_days = 90

type Used = { last_used_at: string | null }

/** `use` is text of a URL; a text that is not a filter lets all keys pass. */
export function isUsedAs({ last_used_at }: Used, use: string, now = Date.now()): boolean {
  if (!keyUses.some((one) => one === use)) return true
  if (last_used_at === null) return use === 'never'
  const days = (now - Date.parse(last_used_at)) / 86_400_000
  if (use === 'recent') return days <= recent_days
  return use === 'old' && days > old_days
}
