// Bounded maps with expiry (lru-cache), by a monotonic clock.
import { LRUCache } from 'lru-cache'

type ExpiringMapOptions = {
  /** The most entries; beyond it, the least recently used one is evicted. */
  max: number
  ttl_ms: number
  monotonic_ms: () => number
}

/** An entry expires `ttl_ms` after it was set, or after the `start` that `set` was given. */
export type ExpiringMap<V extends object> = LRUCache<string, V>

/**
 * Throws for a clock that stands at 0, because the library lets an entry of that moment never
 * expire.
 */
export function newExpiringMap<V extends object>(options: ExpiringMapOptions): ExpiringMap<V> {
  const { max, ttl_ms, monotonic_ms } = options
  if (!(monotonic_ms() > 0)) throw new RangeError('The clock of an expiring map stands at 0')
  // Without `ttlResolution: 0` it would read the clock only once a millisecond, by a timer.
  return new LRUCache({ max, ttl: ttl_ms, ttlResolution: 0, perf: { now: monotonic_ms } })
}
