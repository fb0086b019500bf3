// The pool: priorities, resends, and the end of every session when it closes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnwritableCommand } from '../errors.ts'
import { ask, failed, ok, setUpPool } from '../fixtures/pools.ts'
import { answer, type Script } from '../fixtures/scripted-server.ts'

const nameIn = (xml: string) => /name[^>]*>([^<]*)</.exec(xml)?.[1]

/** A server that answers only when released, one command at a time. */
function held() {
  const waiting: (() => void)[] = []
  const arrived: { name: string | undefined; resolve: () => void }[] = []
  const order: (string | undefined)[] = []
  const script: Script = ({ xml, cl_trid }) =>
    new Promise((resolve) => {
      order.push(nameIn(xml))
      waiting.push(() => resolve(answer(1000, cl_trid)))
      for (const one of arrived.splice(0)) one.resolve()
    })
  const next = () => new Promise<void>((resolve) => arrived.push({ name: undefined, resolve }))
  return { script, order, next, release: () => waiting.shift()?.() }
}

test('sessions are opened when needed, up to the number, and kept', async (t) => {
  const { server, pool } = await setUpPool(t, ok, { sessions: 2 })
  assert.deepEqual(pool.health(), {
    ...{ state: 'idle', sessions: 0, idle: 0, queued: 0, circuit_open: false, last_error: null },
  })
  await ask(pool)
  assert.equal(server.sockets.size, 1)
  await Promise.all(Array.from({ length: 20 }, () => ask(pool)))
  assert.equal(pool.health().sessions, 2)
  assert.equal(new Set(server.received.map(({ cl_trid }) => cl_trid)).size, 21)
})

test('one command at a time; purchases pass normal, normal passes background', async (t) => {
  const { script, order, next, release } = held()
  const { pool } = await setUpPool(t, script, { sessions: 1 })
  const arrived = next()
  const work = [ask(pool, { name: 'first' })]
  await arrived
  work.push(ask(pool, { name: 'late', priority: 'background' }))
  work.push(ask(pool, { name: 'plain' }))
  work.push(ask(pool, { name: 'bought', priority: 'purchase' }))
  for (let left = 3; left > 0; left -= 1) {
    const following = next()
    release()
    await following
  }
  release()
  await Promise.all(work)
  assert.deepEqual(order, ['first', 'bought', 'plain', 'late'])
})

test('a full queue refuses, the least urgent first, and no wait is endless', async (t) => {
  const { script, next, release } = held()
  const { pool } = await setUpPool(t, script, { sessions: 1, queue: { limit: 2, wait_ms: 1_500 } })
  const arrived = next()
  const first = ask(pool)
  await arrived
  const waits = ask(pool, { priority: 'background' })
  const second = ask(pool, { priority: 'background' })
  await assert.rejects(ask(pool, { priority: 'background' }), failed('overloaded'))
  const purchase = ask(pool, { priority: 'purchase' })
  await assert.rejects(second, failed('overloaded'))
  await assert.rejects(waits, failed('overloaded'))
  await assert.rejects(purchase, failed('overloaded'))
  release()
  assert.equal((await first).code, 1000)
})

test('after 2002 the command is sent again on a new session, with a new clTRID', async (t) => {
  const { server, pool } = await setUpPool(t, ({ nth, cl_trid }) => {
    return answer(nth === 1 ? 2002 : 1000, cl_trid)
  })
  const reply = await ask(pool, { transforms: true })
  assert.equal(reply.code, 1000)
  const [first, second] = server.received
  assert.equal(second?.cl_trid, `${first?.cl_trid}.2`)
  assert.notEqual(first?.socket, second?.socket)
})

const dropFirst: Script = ({ nth, socket, cl_trid }) => {
  if (nth > 1) return answer(1000, cl_trid)
  socket.destroy()
  return null
}

test('a read that got no answer is asked again once; a transform never is', async (t) => {
  const reads = await setUpPool(t, dropFirst)
  assert.equal((await ask(reads.pool)).code, 1000)
  assert.equal(reads.server.received.length, 2)
  const writes = await setUpPool(t, dropFirst)
  await assert.rejects(ask(writes.pool, { transforms: true }), failed('closed', 'maybe_sent'))
  assert.equal(writes.server.received.length, 1)
  const dead = await setUpPool(t, ({ socket }) => {
    socket.destroy()
    return null
  })
  await assert.rejects(ask(dead.pool), failed('closed', 'maybe_sent'))
  assert.equal(dead.server.received.length, 2)
  const { state, last_error } = dead.pool.health()
  assert.deepEqual([state, last_error], ['down', 'Connection closed'])
})

test('a session that the server closed while it was idle loses no command', async (t) => {
  const { server, pool } = await setUpPool(t, ok, { sessions: 1 })
  await ask(pool)
  for (const socket of server.sockets) socket.destroy()
  while (pool.health().sessions > 0) await new Promise((resolve) => setImmediate(resolve))
  assert.equal((await ask(pool, { transforms: true })).code, 1000)
})

test('replaces sessions at their age or command limit', async (t) => {
  let now = 0
  const own = { sessions: 1, max_commands: 3, max_age_ms: 1_000, now: () => now }
  const { server, pool, events } = await setUpPool(t, ok, own)
  for (let i = 0; i < 7; i += 1) await ask(pool)
  assert.equal(new Set(server.received.map(({ socket }) => socket)).size, 3)
  now += 1_001
  await ask(pool)
  await ask(pool)
  assert.equal(new Set(server.received.map(({ socket }) => socket)).size, 4)
  assert.equal(events.filter(({ event }) => event === 'opened').length, 4)
})

test('an idle session says hello at 40 % of the idle time', async (t) => {
  let hello: () => void = () => {}
  const notified = new Promise<void>((resolve) => {
    hello = resolve
  })
  const script: Script = ({ xml, cl_trid, socket }) => {
    if (xml.includes('<hello')) {
      hello()
      socket.destroy()
      return null
    }
    return answer(1000, cl_trid)
  }
  const { pool } = await setUpPool(t, script, { sessions: 1, idle_ms: 100, every: true })
  await ask(pool)
  const kept = setTimeout(() => {}, 5_000)
  await notified
  clearTimeout(kept)
  assert.equal((await ask(pool)).code, 1000)
})

test('a command that cannot be written never waits for a session', async (t) => {
  const { server, pool } = await setUpPool(t, ok)
  await assert.rejects(ask(pool, { name: 'a\u0000b' }), UnwritableCommand)
  assert.equal(server.sockets.size, 0)
})

test('close lets what runs finish, refuses what waits and what comes, and logs out', async (t) => {
  const { script, next, release } = held()
  const { server, pool } = await setUpPool(t, script, { sessions: 1 })
  const arrived = next()
  const running = ask(pool)
  await arrived
  const waiting = ask(pool)
  const closing = pool.close()
  await assert.rejects(waiting, failed('shut_down'))
  await assert.rejects(ask(pool), failed('shut_down'))
  release()
  assert.equal((await running).code, 1000)
  await closing
  assert.equal(pool.health().sessions, 0)
  assert.equal(server.received.length, 1)
})
