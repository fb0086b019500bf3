// Limits of concurrent work, and the queue of callers that wait for one.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KeyedSemaphore, Overloaded, Semaphore } from './semaphore.ts'

const soon = () => new Promise<void>((done) => setImmediate(done))
const isRefused = (end: PromiseSettledResult<unknown>) =>
  end.status === 'rejected' && end.reason instanceof Overloaded
const priorities = ['urgent', 'normal', 'background'] as const
const semaphoreOf = (queue: { limit: number; wait_ms: number }) =>
  new Semaphore({ limit: 1, queue: { priorities, ...queue } })

describe('a keyed semaphore', () => {
  it('bounds the permits of each key, and frees them after failures too', async () => {
    const semaphore = new KeyedSemaphore()
    const two = { key: 'a', limit: 2 }
    const run = (more: string) =>
      semaphore.run([two, { key: more, limit: 1 }], async () => {
        await soon()
        throw new Error('work failed')
      })
    const ends = await Promise.allSettled([run('b'), run('b'), run('c'), run('d')])
    assert.deepEqual(ends.map(isRefused), [false, true, false, true])
    assert.equal(await semaphore.run([two, { key: 'd', limit: 1 }], async () => 'free'), 'free')
  })

  it('takes a permit back once, however often it is released', () => {
    const semaphore = new KeyedSemaphore()
    const permits = [{ key: 'a', limit: 2 }]
    const [first, second] = [semaphore.tryAcquire(permits), semaphore.tryAcquire(permits)]
    assert.ok(first && second)
    assert.equal(semaphore.tryAcquire(permits), undefined)
    first()
    first()
    assert.ok(semaphore.tryAcquire(permits))
    assert.equal(semaphore.tryAcquire(permits), undefined)
  })
})

describe('a semaphore', () => {
  it('serves waiters by priority, and refuses those that wait too long', async () => {
    const semaphore = semaphoreOf({ limit: 10, wait_ms: 50 })
    const release = await semaphore.acquire('normal')
    const order: string[] = []
    const waiting = (['background', 'normal', 'urgent'] as const).map(async (priority) => {
      const own = await semaphore.acquire(priority)
      order.push(priority)
      // The second one keeps its permit, so that the third waits in vain.
      if (priority === 'urgent') own()
      return own
    })
    assert.equal(semaphore.queued, 3)
    release()
    release()
    const ends = await Promise.allSettled(waiting)
    assert.deepEqual(ends.map(isRefused), [true, false, false])
    assert.deepEqual(order, ['urgent', 'normal'])
    for (const end of ends) if (end.status === 'fulfilled') end.value()
    await semaphore.idle()
    assert.deepEqual([semaphore.running, semaphore.queued], [0, 0])
  })

  it('refuses the youngest of less urgent waiters for a more urgent one, else the newcomer', async () => {
    const semaphore = semaphoreOf({ limit: 2, wait_ms: 1_000 })
    const release = await semaphore.acquire('normal')
    const asked = (
      ['normal', 'background', 'background', 'urgent', 'urgent', 'urgent'] as const
    ).map(async (priority) => (await semaphore.acquire(priority))())
    release()
    const ends = await Promise.allSettled(asked)
    assert.deepEqual(ends.map(isRefused), [true, true, true, false, false, true])
  })
})
