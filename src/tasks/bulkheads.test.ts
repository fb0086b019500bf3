// Bulkheads: a slow or failing compartment holds up no other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBulkheads } from './bulkheads.ts'

const quiet = { more: false }

test('one round each, where all take the same time', async () => {
  const seen: string[] = []
  const one = async (name: string) => {
    seen.push(name)
    return quiet
  }
  const done = await inBulkheads(['a', 'b'], one, 10_000)
  assert.deepEqual([done, seen], [quiet, ['a', 'b']])
  assert.deepEqual(await inBulkheads([], async () => ({ more: true }), 1), quiet)
})

test('while one is slow the others go on; then all end, without waiting out a pause', async () => {
  const slow = Promise.withResolvers<{ more: boolean }>()
  const enough = Promise.withResolvers<void>()
  let quick = 0
  const began = performance.now()
  const done = inBulkheads(
    ['slow', 'quick', 'idle'],
    async (name) => {
      if (name === 'slow') return slow.promise
      if (name === 'idle') return quiet
      quick += 1
      if (quick === 3) enough.resolve()
      return { more: quick < 3 }
    },
    60_000,
  )
  await enough.promise
  slow.resolve(quiet)
  assert.deepEqual(await done, quiet)
  assert.equal(quick, 3)
  assert.ok(performance.now() - began < 10_000)
})

test('an error is thrown once the others have ended; more of any is more of all', async () => {
  const rounds: string[] = []
  const failing = inBulkheads(
    ['bad', 'good'],
    async (name) => {
      if (name === 'bad') throw new Error('bad')
      rounds.push(name)
      return quiet
    },
    1,
  )
  await assert.rejects(failing, /bad/)
  assert.deepEqual(rounds, ['good'])
  assert.deepEqual(await inBulkheads([1, 2], async (n) => ({ more: n === 2 }), 1), { more: true })
})
