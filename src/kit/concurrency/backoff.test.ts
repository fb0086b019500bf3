// The waits between retries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMs, withJitter } from './backoff.ts'

test('doubles from the first wait to the longest, however many failures there were', () => {
  const range = { first_ms: 50, longest_ms: 2_000 }
  const failures = [0, 1, 2, 3, 6, 7, 5_000]
  assert.deepEqual(
    failures.map((count) => backoffMs(count, range)),
    [0, 50, 100, 200, 1_600, 2_000, 2_000],
  )
})

test('jitter keeps half of a wait, or all but the share that is given', () => {
  const drawn = (share?: number) =>
    [0, 0.5, 1].map((one) => withJitter(1_000, { chance: () => one, ...(share && { share }) }))
  assert.deepEqual(drawn(), [1_000, 750, 500])
  assert.deepEqual(drawn(0.1), [1_000, 950, 900])
})
