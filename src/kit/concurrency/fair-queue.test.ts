// The bounded queue, and that it is fair.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FairQueue, type QueueKey } from './fair-queue.ts'
import { Overloaded } from './semaphore.ts'

type Class = 'known' | 'unknown'
const classes: Class[] = ['known', 'unknown']
const soon = () => new Promise<void>((done) => setImmediate(done))
const isRefused = (end: PromiseSettledResult<unknown>) =>
  end.status === 'rejected' && end.reason instanceof Overloaded
const queueKey = fc.record<QueueKey<Class>>({
  class: fc.constantFrom(...classes),
  key: fc.constantFrom('a', 'b', 'c', 'd'),
})

describe('a fair queue', () => {
  it('keeps the concurrency, runs one of a key at a time in order, and runs or refuses every waiter', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 6 }),
        fc.array(fc.tuple(queueKey, fc.boolean()), { maxLength: 40 }),
        async (concurrency, waiting, works) => {
          const queue = new FairQueue({ classes, concurrency, waiting })
          const now: string[] = []
          const order: number[] = []
          const ends = works.map(([at, good], i) =>
            queue.run(at, async () => {
              const name = `${at.class} ${at.key}`
              assert.ok(!now.includes(name), 'two of a key at once')
              now.push(name)
              assert.ok(now.length <= concurrency)
              order.push(i)
              await soon()
              now.splice(now.indexOf(name), 1)
              if (!good) throw new Error('work failed')
            }),
          )
          const done = await Promise.allSettled(ends)
          const refused = done.filter(isRefused).length
          assert.equal(order.length, works.length - refused)
          assert.ok(refused <= Math.max(0, works.length - waiting - 1))
          const keyOf = (i: number) => JSON.stringify(works[i]?.[0])
          for (const ofKey of Map.groupBy(order, keyOf).values())
            assert.deepEqual(
              ofKey,
              ofKey.toSorted((a, b) => a - b),
            )
          assert.equal(await queue.run({ class: 'known', key: 'a' }, async () => 'free'), 'free')
        },
      ),
      { numRuns: 100 },
    ))
})

/** In what order these are served, one at a time, while all ask at once. */
async function served(waiting: number, ...keys: QueueKey<Class>[]) {
  const queue = new FairQueue({ classes, concurrency: 1, waiting })
  const order: string[] = []
  const ends = keys.map((at) =>
    queue.run(at, async () => {
      order.push(at.key)
      await soon()
    }),
  )
  const refused = (await Promise.allSettled(ends)).flatMap((end, i) =>
    isRefused(end) ? [keys[i]?.key] : [],
  )
  return { order: order.join(''), refused: refused.join('') }
}
const of = (one: Class, keys: string) => [...keys].map((key) => ({ class: one, key }))
const unknown = (keys: string) => of('unknown', keys)
const known = (keys: string) => of('known', keys)

describe('a queue with many waiters', () => {
  it('goes round the keys', async () => {
    assert.deepEqual(await served(10, ...unknown('aaaabbc')), { order: 'abacbaa', refused: '' })
  })

  it('refuses the last waiter of the longest key for a key that has none', async () => {
    const { order, refused } = await served(4, ...unknown('aaaaabcd'))
    assert.equal(refused, 'aaa')
    for (const key of 'bcd') assert.ok(order.includes(key), order)
  })

  it('refuses a caller that would only take the place of an equal', async () => {
    const { refused } = await served(3, ...unknown('abcdef'))
    assert.equal(refused, 'ef')
  })

  it('keeps places for each class, and alternates between the classes', async () => {
    const { order, refused } = await served(3, ...unknown('abcdef'), ...known('xyz'))
    assert.equal(refused, 'ef')
    assert.equal(order, 'axbyczd')
  })
})
