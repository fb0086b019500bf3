// Nodes over one database and one registry that counts: never a session too many, all work done,
// and each node gets its turn.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, beforeEach, test } from 'node:test'
import { startSandbox } from '../../sandbox/registry/index.ts'
import { testDatabase } from '../../test/support/database.ts'
import { profileOf } from '../adapters/registry/fixtures/sandbox.ts'
import type { EppProfile } from '../adapters/registry/port.ts'
import { look, type Node, openNode, startChild, until } from './node.fixture.ts'

const { database, query, url } = await testDatabase()
const sandbox = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
after(() => sandbox.close())
// A slow registry, so that sessions are busy although our processor is not.
sandbox.setFault({ name: 'slow', command: 'domain:check', times: null, delay_ms: 10 })

const counts = () => sandbox.counters().thin
const open = () => counts().sessions.logged_in
const refused = () => counts().commands.login?.codes['2502'] ?? 0
const leases = async () => (await query('select node from session_leases')).length

beforeEach(async () => {
  await until(() => open() === 0)
  assert.equal(await leases(), 0)
})

/** The registry's own limit equals ours, so one session too many is answered with 2502. */
function limit(sessions: number): EppProfile {
  sandbox.settings.sessions_per_registrar = sessions
  return { ...profileOf(sandbox, 'thin'), sessions, timeout_ms: 5_000 }
}

async function withNodes(nodes: Node[], work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    await Promise.all(nodes.map((node) => node.close()))
  }
  assert.equal(refused(), 0)
}

/**
 * Sends checks without a pause until `ended`. Returns how many were answered and how many were not.
 */
async function workOn(node: Node, width: number, ended: () => boolean) {
  const done = { answered: 0, refused: 0 }
  const worker = async () => {
    while (!ended()) {
      const [answered] = await look(node, 1)
      done[answered ? 'answered' : 'refused'] += 1
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return done
}

test('two and three nodes do all their work at once, within the limit', async () => {
  for (const [count, sessions] of [
    [2, 4],
    [3, 3],
    [3, 4],
  ] as const) {
    const profile = limit(sessions)
    const nodes = Array.from({ length: count }, () => openNode(database, { profile }))
    await withNodes(nodes, async () => {
      const began = performance.now()
      const answers = await Promise.all(nodes.map((node) => look(node, 60)))
      // Nodes that arrived too late are notified at once, instead of at the next renewal.
      assert.ok(performance.now() - began < 4_500)
      assert.ok(answers.flat().every((answered) => answered))
      assert.ok(open() <= sessions)
      for (const { registry } of nodes) assert.equal(registry.health().last_error, null)
    })
  }
})

test('three nodes share one session in turns, and each gets its part', async () => {
  const profile = limit(1)
  const nodes = [1, 2, 3].map(() => openNode(database, { profile }))
  const before = counts().sessions.opened
  await withNodes(nodes, async () => {
    let ended = false
    const work = nodes.map((node) => workOn(node, 3, () => ended))
    const turns = () => counts().sessions.opened - before
    const began = performance.now()
    // A turn takes a second, and longer on a loaded machine.
    await until(() => turns() >= 5 || performance.now() - began >= 20_000)
    const taken = turns()
    ended = true
    for (const { answered, refused: unanswered } of await Promise.all(work)) {
      assert.ok(answered > 0)
      assert.equal(unanswered, 0)
    }
    assert.ok(taken >= 5, String(taken))
  })
})

test('a node that starts beside a busy one with all sessions gets half of them', async () => {
  const profile = limit(4)
  const [first, second] = [openNode(database, { profile }), openNode(database, { profile })]
  await withNodes([first, second], async () => {
    let ended = false
    const work = [workOn(first, 8, () => ended)]
    await until(() => first.registry.health().sessions === 4)
    const began = performance.now()
    assert.deepEqual(await look(second, 1), [true])
    assert.ok(performance.now() - began < 4_000)
    work.push(workOn(second, 8, () => ended))
    await until(() => second.registry.health().sessions === 2)
    assert.equal(first.registry.health().sessions, 2)
    ended = true
    for (const done of await Promise.all(work)) assert.equal(done.refused, 0)
  })
})

test('an idle node gives its sessions to a busy one, down to its last', async () => {
  const profile = limit(4)
  const [first, second] = [openNode(database, { profile }), openNode(database, { profile })]
  await withNodes([first, second], async () => {
    await until(async () => {
      await look(first, 8)
      return first.registry.health().sessions === 4
    })
    let ended = false
    const work = workOn(second, 8, () => ended)
    await until(() => second.registry.health().sessions === 3)
    assert.equal(first.registry.health().sessions, 1)
    ended = true
    assert.equal((await work).refused, 0)
  })
})

test('a node that stops frees its sessions at once', async () => {
  const profile = limit(2)
  const [first, second] = [openNode(database, { profile }), openNode(database, { profile })]
  await withNodes([second], async () => {
    await until(async () => {
      await look(first, 4)
      return first.registry.health().sessions === 2
    })
    assert.equal(await leases(), 2)
    await first.close()
    assert.equal(await leases(), 0)
    const began = performance.now()
    assert.deepEqual(await look(second, 2), [true, true])
    assert.ok(performance.now() - began < 4_000)
  })
})

test('a killed process of this machine leaves no lease behind', async () => {
  const profile = limit(2)
  const child = await startChild({ url, profile })
  assert.equal(open(), 2)
  const node = openNode(database, { profile })
  await withNodes([node], async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.equal(await leases(), 2)
    const began = performance.now()
    assert.deepEqual(await look(node, 2), [true, true])
    assert.ok(performance.now() - began < 4_000)
  })
})

test('the sessions of a killed node elsewhere come free with their leases', async () => {
  const profile = limit(2)
  const lease_ms = 3_000
  const child = await startChild({ url, profile, lease_ms, node: 'elsewhere' })
  const node = openNode(database, { profile: { ...profile, timeout_ms: 500 } })
  await withNodes([node], async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    const killed_at = performance.now()
    assert.deepEqual(await look(node, 1), [false])
    assert.equal(node.registry.health().state, 'down')
    assert.match(node.registry.health().last_error ?? '', /Other nodes hold all the sessions/)
    await until(async () => (await look(node, 1))[0] === true)
    const waited_ms = performance.now() - killed_at
    assert.ok(waited_ms > lease_ms / 2 && waited_ms < lease_ms + 10_000, String(waited_ms))
    assert.equal(node.registry.health().state, 'up')
  })
})

test('a node without a session sends nothing and reports the registry as unreachable', async () => {
  const profile = { ...limit(1), timeout_ms: 300 }
  await query(
    `insert into session_leases (registry, number, node, lease_until)
     values ('thin', 1, 'elsewhere', clock_timestamp() + interval '1 hour')`,
  )
  const node = openNode(database, { profile })
  await withNodes([node], async () => {
    const before = counts().frames
    const outcome = await node.registry.read('some.com', 'normal')
    assert.equal(outcome.kind === 'unknown' && outcome.cause, 'unreachable')
    assert.equal(counts().frames, before)
  })
  await query('delete from session_leases')
})
