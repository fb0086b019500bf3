// Sessions under leases: acquired before a session is opened, released at its end, given up or
// lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ask, failed, ok, setUpPool } from '../fixtures/pools.ts'
import { answer, type Script } from '../fixtures/scripted-server.ts'
import type { AcquireLease, LeaseHolder, SessionLease } from './pooled-session.ts'

type Leased = LeaseHolder & { lost: AbortController; ended: boolean }
type Asking = { holder: LeaseHolder; resolve: (lease: SessionLease | null) => void }

/**
 * A lessor that is controlled by hand: it grants at once while leases are free, and otherwise by
 * `give`.
 */
function lessor(free: number) {
  const leased: Leased[] = []
  const asking: Asking[] = []
  const leaseFor = (holder: LeaseHolder): SessionLease => {
    const one: Leased = { ...holder, lost: new AbortController(), ended: false }
    leased.push(one)
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
  const acquireLease: AcquireLease = (holder) =>
    free > 0
      ? Promise.resolve(leaseFor(holder))
      : new Promise((resolve) => asking.push({ holder, resolve }))
  return {
    acquireLease,
    leased,
    asking,
    free: () => free,
    give(): void {
      const next = asking.shift()
      next?.resolve(next.holder.wanted() > 0 ? leaseFor(next.holder) : null)
    },
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate()
}

/** Answers a command only when the test says so. */
function held() {
  const waiting: (() => void)[] = []
  const script: Script = ({ cl_trid }) =>
    new Promise((resolve) => waiting.push(() => resolve(answer(1000, cl_trid))))
  return { script, waiting }
}

test('a session acquires and releases a lease, and one lease serves all waiting commands', async (t) => {
  const { acquireLease, free, asking, give } = lessor(1)
  const { server, pool } = await setUpPool(t, ok, { sessions: 2, acquireLease })
  await Promise.all([ask(pool), ask(pool), ask(pool)])
  assert.deepEqual([pool.health().sessions, free(), asking.length], [1, 0, 1])
  assert.equal(asking[0]?.holder.wanted(), 0)
  give()
  assert.equal(server.sockets.size, 1)
  await pool.close()
  assert.equal(free(), 1)
})

test('without a lease a command fails as not sent after the usual wait, and health has the reason', async (t) => {
  const { acquireLease, asking, give } = lessor(0)
  const own = { acquireLease, queue: { limit: 10, wait_ms: 700 } }
  const { server, pool } = await setUpPool(t, ok, own)
  await assert.rejects(ask(pool, { transforms: true }), failed('overloaded', 'not_sent'))
  const { state, last_error } = pool.health()
  assert.deepEqual([state, last_error], ['down', 'Other nodes hold all the sessions'])
  give()
  await until(() => asking.length === 0)
  const nothing = { sessions: 0, idle: 0, queued: 0, circuit_open: false }
  assert.deepEqual(pool.health(), { state, last_error, ...nothing })
  assert.equal(server.sockets.size, 0)
  const late = ask(pool)
  await until(() => asking.length === 1)
  const leased = lessor(1)
  asking[0]?.resolve(await leased.acquireLease(asking[0].holder))
  assert.equal((await late).code, 1000)
  assert.deepEqual([pool.health().state, pool.health().last_error], ['up', null])
})

test('a lease that comes too late is released, and no session is opened for it', async (t) => {
  const late = lessor(1)
  const gate = Promise.withResolvers<void>()
  const acquireLease: AcquireLease = async (holder) => {
    await gate.promise
    return late.acquireLease(holder)
  }
  const own = { acquireLease, queue: { limit: 10, wait_ms: 30 } }
  const { server, pool } = await setUpPool(t, ok, own)
  await assert.rejects(ask(pool), failed('overloaded'))
  gate.resolve()
  await until(() => late.leased[0]?.ended === true)
  assert.deepEqual([late.free(), server.sockets.size, pool.health().sessions], [1, 0, 0])
})

test('an idle session that is to be given up is closed with a logout', async (t) => {
  const { acquireLease, leased, free } = lessor(2)
  const { server, pool } = await setUpPool(t, ok, { sessions: 2, acquireLease })
  await Promise.all([ask(pool), ask(pool)])
  const [first, second] = leased
  assert.ok(first && second)
  assert.ok((first.idleMs() ?? -1) >= 0)
  first.giveUp()
  await until(() => first.ended)
  assert.deepEqual([second.ended, free(), pool.health().sessions], [false, 1, 1])
  await until(() => server.sockets.size === 1)
  assert.equal((await ask(pool)).code, 1000)
  assert.equal(leased.length, 2)
})

test('a busy session finishes its command first, and waiting commands use another session', async (t) => {
  const { acquireLease, leased } = lessor(1)
  const { script, waiting } = held()
  const { server, pool } = await setUpPool(t, script, { sessions: 1, acquireLease })
  const running = ask(pool, { transforms: true })
  await until(() => waiting.length === 1)
  const next = ask(pool)
  assert.equal(leased[0]?.idleMs(), null)
  leased[0]?.giveUp()
  waiting.shift()?.()
  assert.equal((await running).code, 1000)
  await until(() => waiting.length === 1)
  assert.deepEqual([leased[0]?.ended, leased.length], [true, 2])
  waiting.shift()?.()
  await next
  const [one, two] = server.received
  assert.notEqual(one?.socket, two?.socket)
})

test('a lost lease ends its session at once: the running command fails, waiting ones are served', async (t) => {
  const { acquireLease, leased } = lessor(1)
  const { script, waiting } = held()
  const { server, pool } = await setUpPool(t, script, { sessions: 1, acquireLease })
  const running = ask(pool, { transforms: true })
  await until(() => waiting.length === 1)
  const next = ask(pool)
  leased[0]?.lost.abort()
  await assert.rejects(running, failed('closed', 'maybe_sent'))
  await until(() => waiting.length === 2)
  assert.equal(leased[0]?.ended, true)
  waiting[1]?.()
  assert.equal((await next).code, 1000)
  assert.equal(server.received.length, 2)
})

test('a lease lost while its session is being opened prevents the log-in', async (t) => {
  const { acquireLease, leased, free } = lessor(1)
  const logins: string[] = []
  const script: Script = ({ xml, cl_trid }) => {
    if (xml.includes('<login')) logins.push(cl_trid)
    return answer(xml.includes('<logout') ? 1500 : 1000, cl_trid)
  }
  const { pool } = await setUpPool(t, script, { sessions: 1, acquireLease, every: true })
  const asked = ask(pool)
  await until(() => leased.length === 1)
  leased[0]?.lost.abort()
  await assert.rejects(asked, failed('closed', 'not_sent'))
  assert.deepEqual([logins, free()], [[], 1])
})

test('a closing pool wants no lease', async (t) => {
  const { acquireLease, asking, give } = lessor(0)
  const { pool } = await setUpPool(t, ok, { acquireLease })
  const asked = ask(pool)
  await until(() => asking.length === 1)
  asking[0]?.holder.closing.addEventListener('abort', () => give())
  const closed = pool.close()
  await assert.rejects(asked, failed('shut_down'))
  await closed
  assert.equal(pool.health().sessions, 0)
})
