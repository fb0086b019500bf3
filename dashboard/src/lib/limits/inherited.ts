// Limits that hold for an API key beside its own: those of the keys that it was made with.
import type { Limits } from './limit-draft.ts'

type Key = { id: number; parent_key_id: number | null }

/** The keys that a key was made with, the closest first. */
export function ancestorsOf<K extends Key>(key: K, keys: readonly K[]): K[] {
  const parent = keys.find(({ id }) => id === key.parent_key_id)
  return parent ? [parent, ...ancestorsOf(parent, keys)] : []
}

export function isLimited(limits: Limits): boolean {
  const { spend_limit, max_price, approval_above, allowed_tlds, allowed_domains } = limits
  const all = [spend_limit, max_price, approval_above, allowed_tlds, allowed_domains]
  return [...all, limits.allowed_ips, limits.dns].some((limit) => limit !== null)
}
