// The bounded queue, and that it is fair.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NoTurn, type Place, Turns } from './fair-queue.ts'
import { Seats } from './semaphore.ts'

const soon = () => new Promise<void>((done) => setImmediate(done))
const isSentAway = (end: PromiseSettledResult<unknown>) =>
  end.status === 'rejected' && end.reason instanceof NoTurn
const place = fc.record<Place>({
  line: fc.constantFrom('known', 'stranger'),
  lane: fc.constantFrom('a', 'b', 'c', 'd'),
})

describe('turns', () => {
  it('are never more than allowed, one of a lane, in its order; who waits gets one or is sent away', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 6 }),
        fc.array(fc.tuple(place, fc.boolean()), { maxLength: 40 }),
        async (running, waiting, works) => {
          const turns = new Turns({ running, waiting })
          const now: string[] = []
          const order: number[] = []
          const ends = works.map(([where, good], i) =>
            turns.take(where, async () => {
              const name = `${where.line} ${where.lane}`
              assert.ok(!now.includes(name), 'two of a lane at once')
              now.push(name)
              assert.ok(now.length <= running)
              order.push(i)
              await soon()
              now.splice(now.indexOf(name), 1)
              if (!good) throw new Error('work failed')
            }),
          )
          const done = await Promise.allSettled(ends)
          const away = done.filter(isSentAway).length
          assert.equal(order.length, works.length - away)
          assert.ok(away <= Math.max(0, works.length - waiting - 1))
          const laneOf = (i: number) => JSON.stringify(works[i]?.[0])
          for (const lane of Map.groupBy(order, laneOf).values())
            assert.deepEqual(
              lane,
              lane.toSorted((a, b) => a - b),
            )
          assert.equal(await turns.take({ line: 'known', lane: 'a' }, async () => 'free'), 'free')
        },
      ),
      { numRuns: 100 },
    ))
})

/** In what order these are served, one at a time, while all ask at once; x: sent away. */
async function served(waiting: number, ...places: [Place['line'], string][]) {
  const turns = new Turns({ running: 1, waiting })
  const order: string[] = []
  const ends = places.map(([line, lane]) =>
    turns.take({ line, lane }, async () => {
      order.push(lane)
      await soon()
    }),
  )
  const away = (await Promise.allSettled(ends)).flatMap((end, i) =>
    isSentAway(end) ? [places[i]?.[1]] : [],
  )
  return { order: order.join(''), away: away.join('') }
}
const strangers = (lanes: string) =>
  [...lanes].map((lane): [Place['line'], string] => ['stranger', lane])
const known = (lanes: string) => [...lanes].map((lane): [Place['line'], string] => ['known', lane])

describe('many who wait', () => {
  it('go round the lanes', async () => {
    assert.deepEqual(await served(10, ...strangers('aaaabbc')), { order: 'abacbaa', away: '' })
  })

  it('are given to who is alone, where a lane is longer', async () => {
    const { order, away } = await served(4, ...strangers('aaaaabcd'))
    assert.equal(away, 'aaa')
    for (const lane of 'bcd') assert.ok(order.includes(lane), order)
  })

  it('refuse whoever would only take another place as good', async () => {
    const { away } = await served(3, ...strangers('abcdef'))
    assert.equal(away, 'ef')
  })

  it('have room for the known, and change between the lines', async () => {
    const { order, away } = await served(3, ...strangers('abcdef'), ...known('xyz'))
    assert.equal(away, 'ef')
    assert.equal(order, 'axbyczd')
  })
})

describe('seats', () => {
  it('are as many as were said, of each key, and free again after failures too', async () => {
    const seats = new Seats()
    const two = { key: 'a', most: 2 }
    const hold = (more: string) =>
      seats.hold([two, { key: more, most: 1 }], async () => {
        await soon()
        throw new Error('work failed')
      })
    const ends = await Promise.allSettled([hold('b'), hold('b'), hold('c'), hold('d')])
    assert.deepEqual(ends.map(isSentAway), [false, true, false, true])
    assert.equal(await seats.hold([two, { key: 'd', most: 1 }], async () => 'free'), 'free')
  })
})
