// Sessions whose log-in the server has lost (2002, 2200) or that it ends (25xx): if nothing ran,
// the command is sent again, on a session that can have its log-in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { ask, failed, setUpPool } from '../fixtures/pools.ts'
import { answer, type Script } from '../fixtures/scripted-server.ts'

/**
 * A server that can log out all its sessions, and then answers `code` to each of their commands.
 */
function forgetful(code: number) {
  const out = new Set<TLSSocket>()
  const script: Script = ({ cl_trid, socket }) => answer(out.has(socket) ? code : 1000, cl_trid)
  return { script, out }
}

for (const code of [2002, 2200])
  test(`after ${code} on one of several sessions that were all logged out, each command is done`, async (t) => {
    const { script, out } = forgetful(code)
    const { server, pool } = await setUpPool(t, script, { sessions: 3 })
    const many = () => Array.from({ length: 9 }, () => ask(pool, { transforms: true }))
    await Promise.all(many())
    assert.equal(pool.health().sessions, 3)
    for (const socket of server.sockets) out.add(socket)
    const replies = [await ask(pool, { transforms: true }), ...(await Promise.all(many()))]
    assert.deepEqual(new Set(replies.map(({ code: got }) => got)), new Set([1000]))
    const again = server.received.filter(({ cl_trid }) => cl_trid.endsWith('.2'))
    assert.equal(again.length, 1, 'the sessions of before take no further command')
    assert.ok(again.every(({ socket }) => !out.has(socket)))
  })

test('commands that run as all sessions are logged out are each sent again on a newer session', async (t) => {
  const { out, script } = forgetful(2002)
  let arrived = 0
  const waiting: (() => void)[] = []
  const together: Script = async (received) => {
    arrived += 1
    if (arrived > 3 && arrived < 6) await new Promise<void>((resolve) => waiting.push(resolve))
    if (arrived === 6) for (const resolve of waiting) resolve()
    return script(received)
  }
  const { server, pool } = await setUpPool(t, together, { sessions: 3 })
  await Promise.all(Array.from({ length: 3 }, () => ask(pool)))
  for (const socket of server.sockets) out.add(socket)
  const asked = Array.from({ length: 3 }, () => ask(pool, { transforms: true }))
  const codes = (await Promise.all(asked)).map(({ code }) => code)
  assert.deepEqual(codes, [1000, 1000, 1000])
})

test('a session that was being opened as the log-ins were lost takes no command', async (t) => {
  const { out, script } = forgetful(2002)
  const second = Promise.withResolvers<TLSSocket>()
  const lost = Promise.withResolvers<void>()
  let logins = 0
  const slow: Script = async (received) => {
    const { xml, cl_trid, socket } = received
    if (xml.includes('<logout')) return answer(1500, cl_trid)
    if (!xml.includes('<login')) {
      if (cl_trid === 'held') out.add(await second.promise)
      if (cl_trid === 'next') out.add(socket)
      if (cl_trid === 'next') lost.resolve()
      return script(received)
    }
    logins += 1
    if (logins === 2) second.resolve(socket)
    if (logins === 2) await lost.promise
    return answer(1000, cl_trid)
  }
  const { server, pool } = await setUpPool(t, slow, { sessions: 2, every: true })
  await ask(pool)
  const held = ask(pool, { transforms: true, cl_trid: 'held' })
  const next = ask(pool, { transforms: true, cl_trid: 'next' })
  assert.deepEqual([(await held).code, (await next).code], [1000, 1000])
  const again = server.received.find(({ cl_trid }) => cl_trid === 'next.2')
  assert.ok(again && !out.has(again.socket))
})

for (const code of [2002, 2200])
  test(`a ${code} to the second sending is the answer, and such log-ins are paused`, async (t) => {
    let now = 0
    const { server, pool } = await setUpPool(t, ({ cl_trid }) => answer(code, cl_trid), {
      now: () => now,
      sessions: 1,
    })
    assert.equal((await ask(pool, { transforms: true })).code, code)
    assert.equal(server.received.length, 2)
    const refused = failed('circuit_open')
    let sent = 0
    for (let asked = 0; asked < 20; asked += 1) {
      now += 100
      sent += (await ask(pool, { transforms: true }).catch(refusedBy(refused))) === null ? 0 : 1
    }
    assert.ok(sent <= 3, `${sent} of 20 commands in two seconds were sent`)
    now += 300_000
    await assert.rejects(ask(pool), refused)
  })

function refusedBy(expected: ReturnType<typeof failed>) {
  return (error: unknown): null => {
    const { failure, sent } = Object(error)
    assert.deepEqual({ failure, sent }, { failure: expected.failure, sent: expected.sent })
    return null
  }
}

test('one answered command ends the count of lost log-ins', async (t) => {
  let lost = false
  const script: Script = ({ cl_trid }) => answer(lost ? 2002 : 1000, cl_trid)
  const { pool } = await setUpPool(t, script, { now: () => 0, sessions: 1 })
  for (let i = 0; i < 6; i += 1) {
    lost = true
    assert.equal((await ask(pool)).code, 2002)
    lost = false
    assert.equal((await ask(pool)).code, 1000)
  }
})

for (const code of [2501, 2502])
  test(`after ${code}, which says that nothing ran, another open session takes the command`, async (t) => {
    let refuse = false
    const script: Script = ({ cl_trid }) => {
      const now = refuse
      refuse = false
      return answer(now ? code : 1000, cl_trid)
    }
    const { server, pool } = await setUpPool(t, script, { sessions: 2 })
    await Promise.all([ask(pool), ask(pool)])
    assert.equal(pool.health().sessions, 2)
    refuse = true
    assert.equal((await ask(pool, { transforms: true })).code, 1000)
    const sent = server.received.slice(2)
    assert.equal(sent.length, 2)
    assert.notEqual(sent[0]?.socket, sent[1]?.socket)
  })

for (const code of [1500, 2500])
  test(`after ${code} a read is sent again, and a transform is not: it may have run`, async (t) => {
    const script: Script = ({ nth, cl_trid }) => answer(nth === 1 ? code : 1000, cl_trid)
    const reads = await setUpPool(t, script)
    assert.equal((await ask(reads.pool)).code, 1000)
    const writes = await setUpPool(t, script)
    assert.equal((await ask(writes.pool, { transforms: true })).code, code)
    assert.equal(writes.server.received.length, 1)
    assert.equal(writes.pool.health().sessions, 0)
  })
