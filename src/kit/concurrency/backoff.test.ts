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

test('jitter keeps at least half of a wait', () => {
  assert.deepEqual(
    [0, 0.5, 1].map((drawn) => withJitter(1_000, () => drawn)),
    [500, 750, 1_000],
  )
})
