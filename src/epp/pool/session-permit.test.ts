// The hook of a budget over several nodes: a slot before each session, back with its end, given up
// or lost before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ask, failed, ok, setUpPool } from '../fixtures/pools.ts'
import { answer, type Script } from '../fixtures/scripted-server.ts'
import type { AcquireSlot, Borrower, Slot } from './session-permit.ts'

type Lent = Borrower & { lost: AbortController; ended: boolean }
type Asking = { borrower: Borrower; resolve: (slot: Slot | null) => void }

/** A lender by hand: answers at once while slots are free, else when it is told. */
function lender(free: number) {
  const lent: Lent[] = []
  const asking: Asking[] = []
  const slotFor = (borrower: Borrower): Slot => {
    const one: Lent = { ...borrower, lost: new AbortController(), ended: false }
    lent.push(one)
    free -= 1
    return {
      lost: one.lost.signal,
      release() {
        assert.equal(one.ended, false)
        one.ended = true
        free += 1
      },
    }
  }
  const acquireSlot: AcquireSlot = (borrower) =>
    free > 0
      ? Promise.resolve(slotFor(borrower))
      : new Promise((resolve) => asking.push({ borrower, resolve }))
  return {
    acquireSlot,
    lent,
    asking,
    free: () => free,
    give(): void {
      const next = asking.shift()
      next?.resolve(next.borrower.wanted() > 0 ? slotFor(next.borrower) : null)
    },
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate()
}

/** Answers a command only when it is told. */
function held() {
  const waiting: (() => void)[] = []
  const script: Script = ({ cl_trid }) =>
    new Promise((resolve) => waiting.push(() => resolve(answer(1000, cl_trid))))
  return { script, waiting }
}

test('a session takes a slot and gives it back, and one slot serves all who wait', async (t) => {
  const { acquireSlot, free, asking, give } = lender(1)
  const { server, pool } = await setUpPool(t, ok, { sessions: 2, acquireSlot })
  await Promise.all([ask(pool), ask(pool), ask(pool)])
  assert.deepEqual([pool.health().sessions, free(), asking.length], [1, 0, 1])
  assert.equal(asking[0]?.borrower.wanted(), 0)
  give()
  assert.equal(server.sockets.size, 1)
  await pool.close()
  assert.equal(free(), 1)
})

test('who finds no slot waits the usual time, is told that nothing was sent, health says why', async (t) => {
  const { acquireSlot, asking, give } = lender(0)
  const own = { acquireSlot, queue: { limit: 10, wait_ms: 700 } }
  const { server, pool } = await setUpPool(t, ok, own)
  await assert.rejects(ask(pool, { transforms: true }), failed('overloaded', 'not_sent'))
  const { state, last_error } = pool.health()
  assert.deepEqual([state, last_error], ['down', 'Other nodes hold all the sessions'])
  give()
  await until(() => asking.length === 0)
  assert.deepEqual(pool.health(), { state, last_error, sessions: 0, queued: 0 })
  assert.equal(server.sockets.size, 0)
  const late = ask(pool)
  await until(() => asking.length === 1)
  const lent = lender(1)
  asking[0]?.resolve(await lent.acquireSlot(asking[0].borrower))
  assert.equal((await late).code, 1000)
  assert.deepEqual([pool.health().state, pool.health().last_error], ['up', null])
})

test('a slot that comes too late is given back, and no session is opened for it', async (t) => {
  const late = lender(1)
  const gate = Promise.withResolvers<void>()
  const acquireSlot: AcquireSlot = async (borrower) => {
    await gate.promise
    return late.acquireSlot(borrower)
  }
  const own = { acquireSlot, queue: { limit: 10, wait_ms: 30 } }
  const { server, pool } = await setUpPool(t, ok, own)
  await assert.rejects(ask(pool), failed('overloaded'))
  gate.resolve()
  await until(() => late.lent[0]?.ended === true)
  assert.deepEqual([late.free(), server.sockets.size, pool.health().sessions], [1, 0, 0])
})

test('an idle session that is to be given up is closed with its farewell', async (t) => {
  const { acquireSlot, lent, free } = lender(2)
  const { server, pool } = await setUpPool(t, ok, { sessions: 2, acquireSlot })
  await Promise.all([ask(pool), ask(pool)])
  const [first, second] = lent
  assert.ok(first && second)
  assert.ok((first.idleMs() ?? -1) >= 0)
  first.giveUp()
  await until(() => first.ended)
  assert.deepEqual([second.ended, free(), pool.health().sessions], [false, 1, 1])
  await until(() => server.sockets.size === 1)
  assert.equal((await ask(pool)).code, 1000)
  assert.equal(lent.length, 2)
})

test('a busy one finishes its command first, and what waits goes on another session', async (t) => {
  const { acquireSlot, lent } = lender(1)
  const { script, waiting } = held()
  const { server, pool } = await setUpPool(t, script, { sessions: 1, acquireSlot })
  const running = ask(pool, { transforms: true })
  await until(() => waiting.length === 1)
  const next = ask(pool)
  assert.equal(lent[0]?.idleMs(), null)
  lent[0]?.giveUp()
  waiting.shift()?.()
  assert.equal((await running).code, 1000)
  await until(() => waiting.length === 1)
  assert.deepEqual([lent[0]?.ended, lent.length], [true, 2])
  waiting.shift()?.()
  await next
  const [one, two] = server.received
  assert.notEqual(one?.socket, two?.socket)
})

test('a lost slot ends its session at once: what ran has no answer, what waits is served', async (t) => {
  const { acquireSlot, lent } = lender(1)
  const { script, waiting } = held()
  const { server, pool } = await setUpPool(t, script, { sessions: 1, acquireSlot })
  const running = ask(pool, { transforms: true })
  await until(() => waiting.length === 1)
  const next = ask(pool)
  lent[0]?.lost.abort()
  await assert.rejects(running, failed('closed', 'maybe_sent'))
  await until(() => waiting.length === 2)
  assert.equal(lent[0]?.ended, true)
  waiting[1]?.()
  assert.equal((await next).code, 1000)
  assert.equal(server.received.length, 2)
})

test('a slot lost while its session is being opened: nothing logs in', async (t) => {
  const { acquireSlot, lent, free } = lender(1)
  const logins: string[] = []
  const script: Script = ({ xml, cl_trid }) => {
    if (xml.includes('<login')) logins.push(cl_trid)
    return answer(xml.includes('<logout') ? 1500 : 1000, cl_trid)
  }
  const { pool } = await setUpPool(t, script, { sessions: 1, acquireSlot, every: true })
  const asked = ask(pool)
  await until(() => lent.length === 1)
  lent[0]?.lost.abort()
  await assert.rejects(asked, failed('closed', 'not_sent'))
  assert.deepEqual([logins, free()], [[], 1])
})

test('a pool that closes wants no slot any more', async (t) => {
  const { acquireSlot, asking, give } = lender(0)
  const { pool } = await setUpPool(t, ok, { acquireSlot })
  const asked = ask(pool)
  await until(() => asking.length === 1)
  asking[0]?.borrower.closing.addEventListener('abort', () => give())
  const closed = pool.close()
  await assert.rejects(asked, failed('shut_down'))
  await closed
  assert.equal(pool.health().sessions, 0)
})
