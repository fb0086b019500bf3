// Filter of API keys by their use, which finds those that are no longer needed. Pure.

export const keyUses = ['recent', 'old', 'never'] as const
const recent_days = 30
const old_days = 90

type Used = { last_used_at: string | null }

/** `use` is text of a URL: one that is no filter lets all pass. */
export function isUsedAs({ last_used_at }: Used, use: string, now = Date.now()): boolean {
  if (!keyUses.some((one) => one === use)) return true
  if (last_used_at === null) return use === 'never'
  const days = (now - Date.parse(last_used_at)) / 86_400_000
  if (use === 'recent') return days <= recent_days
  return use === 'old' && days > old_days
}
