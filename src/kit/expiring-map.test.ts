// Bounded maps with expiry: by the given clock alone, from the moment of the set or of the start.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { newExpiringMap } from './expiring-map.ts'

const max = 3
const ttl_ms = 10

type Step = { key: string; set: boolean; then_ms: number }
const step: fc.Arbitrary<Step> = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  set: fc.boolean(),
  then_ms: fc.nat({ max: 8 }),
})

describe('an expiring map', () => {
  test('has what was set within its time, and the most recently used entries', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now_ms = 1
        const map = newExpiringMap<{ at: number }>({ max, ttl_ms, monotonic_ms: () => now_ms })
        // The entries, beginning with the least recently used one.
        let model: { key: string; at: number }[] = []
        for (const { key, set, then_ms } of steps) {
          const known = model.find((one) => one.key === key)
          const fresh = known && now_ms - known.at <= ttl_ms ? known : undefined
          model = model.filter((one) => one.key !== key)
          if (set) {
            map.set(key, { at: now_ms })
            model = [...model, { key, at: now_ms }].slice(-max)
          } else {
            assert.deepEqual(map.get(key), fresh && { at: fresh.at })
            if (fresh) model.push(fresh)
          }
          now_ms += then_ms
        }
      }),
    )
  })

  test('counts the age of an entry from its start, where one is given', () => {
    let now_ms = 100
    const map = newExpiringMap<{ n: number }>({ max, ttl_ms, monotonic_ms: () => now_ms })
    map.set('early', { n: 1 }, { start: 95 })
    map.set('now', { n: 2 })
    now_ms = 106
    assert.deepEqual([map.get('early'), map.get('now')], [undefined, { n: 2 }])
  })

  test('refuses a clock at 0, where an entry would never expire', () => {
    assert.throws(() => newExpiringMap({ max, ttl_ms, monotonic_ms: () => 0 }), RangeError)
  })
})
