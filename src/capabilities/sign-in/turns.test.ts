// The bounded queue.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NoTurn, Turns } from './turns.ts'

describe('turns', () => {
  it('are never more than allowed at once, first come first served, and the rest is refused', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 6 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        async (running, waiting, works) => {
          const turns = new Turns({ running, waiting })
          let now = 0
          let most = 0
          const order: number[] = []
          const ends = works.map((good, i) =>
            turns.take(async () => {
              now += 1
              most = Math.max(most, now)
              order.push(i)
              await new Promise((done) => setImmediate(done))
              now -= 1
              if (!good) throw new Error('work failed')
            }),
          )
          const done = await Promise.allSettled(ends)
          const refused = done.filter(
            (one) => one.status === 'rejected' && one.reason instanceof NoTurn,
          ).length
          const served = Math.min(works.length, running + waiting)
          assert.equal(refused, works.length - served)
          assert.ok(most <= running)
          assert.deepEqual(order, [...Array(served).keys()])
          assert.equal(await turns.take(async () => 'free again'), 'free again')
        },
      ),
      { numRuns: 60 },
    ))
})
