// Fair sharing of sessions between nodes, as a pure rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type NodeState, revocationFor, time_slice_ms } from './fair-share.ts'

type Short = [held: number, waited_ms: number | null, held_ms?: number]

/** Nodes a, b, c and so on, and the session of this many that the first node must give up. */
function asked(sessions: number, ...nodes: Short[]) {
  return revocationFor(statesOf(nodes), { node: 'a', sessions })
}

function statesOf(nodes: Short[]): NodeState[] {
  return nodes.map(([held, waited_ms, held_ms = 60_000], i) => ({
    node: String.fromCharCode(97 + i),
    held,
    held_ms: held > 0 ? held_ms : null,
    waited_ms,
  }))
}

const at_once = { idle_ms: 0, held_ms: 0 }

test('gives nothing up while no other node waits', () => {
  assert.equal(asked(4, [4, null], [0, null]), null)
  assert.equal(asked(4, [3, 900], [1, null]), null)
  assert.equal(asked(1, [0, 900], [1, null]), null)
})

test('gives nothing up while enough leases are free for the waiting nodes', () => {
  assert.equal(asked(4, [3, null], [0, 0]), null)
  assert.deepEqual(asked(4, [3, null], [0, 0], [0, 0]), at_once)
})

test('gives one up at once, busy or not, with two more than the most starved node', () => {
  assert.deepEqual(asked(4, [4, null], [0, 0]), at_once)
  assert.deepEqual(asked(4, [3, 500], [1, 0]), at_once)
})

test('gives up only an unused session, never the last, with at most one more', () => {
  const unused = { idle_ms: 2_000, held_ms: null }
  assert.deepEqual(asked(3, [2, null], [1, 9_000]), unused)
  assert.deepEqual(asked(4, [2, null], [2, 9_000]), unused)
  assert.equal(asked(2, [1, null], [1, 9_000]), null)
})

test('asks the node with the most sessions first, the others after a while', () => {
  assert.equal(asked(7, [3, null], [4, null], [0, 0]), null)
  assert.deepEqual(asked(7, [3, null], [4, null], [0, 300]), { idle_ms: 250, held_ms: null })
  assert.deepEqual(asked(7, [3, null], [4, null], [0, time_slice_ms]), at_once)
})

test('alternates with more nodes than sessions, the longest held lease first', () => {
  const slice = { idle_ms: 250, held_ms: time_slice_ms }
  assert.deepEqual(asked(1, [1, null], [0, 0]), slice)
  assert.equal(asked(2, [1, null, 500], [1, null, 900], [0, 0]), null)
  assert.deepEqual(asked(2, [1, null, 900], [1, null, 500], [0, 0]), slice)
})

test('gives a node without sessions one in the end, and leaves no other node with fewer', () => {
  const node = fc.tuple(fc.nat(4), fc.constant(null))
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 5 }), (holding) => {
      const nodes = statesOf([...holding, [0, 10_000]])
      const sessions = nodes.reduce((sum, { held }) => sum + held, 0)
      fc.pre(sessions > 0)
      const revocations = nodes.map(({ node, held }) => ({
        held,
        revocation: revocationFor(nodes, { node, sessions }),
      }))
      assert.ok(
        revocations.some(({ revocation }) => revocation?.held_ms !== null && revocation !== null),
      )
      for (const { held, revocation } of revocations) assert.ok(held > 0 || revocation === null)
    }),
  )
})
