// Group commit apart from the database: which items share a batch, and when it starts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batched } from './batch.ts'

test('callers of a batch each get their own answer, in at most the allowed batches at once', async () => {
  let running = 0
  let most = 0
  const sizes: number[] = []
  const double = batched<number, number>(
    async (items) => {
      running += 1
      most = Math.max(most, running)
      sizes.push(items.length)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return items.map((item) => item * 2)
    },
    { in_flight: 2, most: 10 },
  )
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => double(i)))
  assert.deepEqual(
    answers,
    Array.from({ length: 100 }, (_, i) => i * 2),
  )
  assert.ok(most <= 2)
  assert.ok(Math.max(...sizes) <= 10 && sizes.length < 30)
})

test('a poisoned item of a batch fails alone', async () => {
  const strict = batched<number, number>(
    async (items) => {
      if (items.includes(13)) throw new Error('thirteen')
      return items
    },
    { in_flight: 1, most: 64 },
  )
  const ends = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => strict(i)))
  const expected = ends.map((_, i) => (i === 13 ? 'rejected' : 'fulfilled'))
  assert.deepEqual(
    ends.map(({ status }) => status),
    expected,
  )
})

/** Batches of numbers, and their sizes. */
function delayed(limits: { most: number; delay_ms: number }) {
  const sizes: number[] = []
  const run = batched<number, number>(
    async (items) => {
      sizes.push(items.length)
      return items
    },
    { in_flight: 1, ...limits },
  )
  return { sizes, run: (items: number[]) => Promise.all(items.map(run)) }
}

test('after a batch of several items the next one fills for a time', async () => {
  const { sizes, run } = delayed({ most: 9, delay_ms: 1_500 })
  await run([1, 2])
  const early = run([3])
  // Later turns of the event loop, in which it would have started otherwise.
  for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([early, run([4, 5])])
  assert.deepEqual(sizes, [2, 3])
})

test('a full batch does not wait, and nothing waits after a single item', async () => {
  const { sizes, run } = delayed({ most: 3, delay_ms: 4_000 })
  const began = performance.now()
  for (const n of [1, 2, 3]) await run([n])
  await run([4, 5, 6])
  await run([7, 8, 9])
  assert.deepEqual(sizes, [1, 1, 1, 3, 3])
  assert.ok(performance.now() - began < 4_000)
})
