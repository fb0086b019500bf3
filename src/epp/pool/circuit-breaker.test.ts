// Circuit breaker: when the pool stops opening sessions to a registry, when it tries again, and
// with how many sessions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EppError } from '../errors.ts'
import { ask, failed, ok, setUpPool } from '../fixtures/pools.ts'
import { answer, type Script } from '../fixtures/scripted-server.ts'

test('a refused log-in opens the circuit at once, for minutes', async (t) => {
  let now = 0
  let code = 2200
  const script: Script = ({ xml, cl_trid }) => answer(xml.includes('<login') ? code : 1000, cl_trid)
  const { server, pool, events } = await setUpPool(t, script, {
    now: () => now,
    sessions: 1,
    every: true,
  })
  await assert.rejects(ask(pool), failed('authentication'))
  await assert.rejects(ask(pool), failed('authentication'))
  now += 299_000
  await assert.rejects(ask(pool), failed('authentication'))
  assert.equal(server.received.length, 1)
  assert.equal(pool.health().state, 'down')
  now += 1_001
  code = 1000
  assert.equal((await ask(pool)).code, 1000)
  assert.deepEqual(pool.health().last_error, null)
  assert.deepEqual(
    events.map(({ event }) => event),
    ['open_failed', 'opened'],
  )
})

test('2501 to a command closes the circuit for new sessions, too', async (t) => {
  const { server, pool } = await setUpPool(t, ({ cl_trid }) => answer(2501, cl_trid))
  await assert.rejects(ask(pool, { transforms: true }), failed('authentication'))
  await assert.rejects(ask(pool), failed('authentication'))
  assert.equal(server.received.length, 1)
})

test('an unreachable server is tried three times, then after 1, 2, 4 ... seconds', async (t) => {
  let now = 0
  const { server, pool } = await setUpPool(t, ok, { now: () => now, sessions: 1 })
  await server.close()
  const outcomes: string[] = []
  const attempt = async () => {
    const error = await ask(pool).then(
      () => assert.fail('it answered'),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof EppError && error.sent === 'not_sent')
    outcomes.push(error.failure)
  }
  for (let i = 0; i < 4; i += 1) await attempt()
  for (const wait_ms of [999, 1, 1_999, 1]) {
    now += wait_ms
    await attempt()
  }
  const tried = 'unreachable'
  const spared = 'circuit_open'
  assert.deepEqual(outcomes, [tried, tried, tried, spared, spared, tried, spared, tried])
})

test('2502 at log-in shrinks the pool; after a pause it grows again, one by one', async (t) => {
  let now = 0
  let most = 1
  const script: Script = ({ xml, cl_trid, socket }) => {
    if (!xml.includes('<login')) return answer(1000, cl_trid)
    const logged = [...server.sockets].filter((other) => other !== socket).length
    return answer(logged < most ? 1000 : 2502, cl_trid)
  }
  const { server, pool, events } = await setUpPool(t, script, {
    now: () => now,
    sessions: 3,
    every: true,
  })
  await ask(pool)
  const many = () => Promise.all(Array.from({ length: 12 }, () => ask(pool)))
  await many()
  assert.equal(pool.health().sessions, 1)
  const refused = events.length
  await many()
  assert.equal(events.length, refused, 'no further log-in within the pause')
  most = 3
  now += 30_001
  await many()
  await many()
  assert.equal(pool.health().sessions, 3)
})

test('reports a session limit to waiting commands after 2502 without any session', async (t) => {
  const { pool } = await setUpPool(t, ({ cl_trid }) => answer(2502, cl_trid), {
    sessions: 2,
    every: true,
  })
  await assert.rejects(ask(pool), failed('session_limit'))
  await assert.rejects(ask(pool), failed('session_limit'))
})
