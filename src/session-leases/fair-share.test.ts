// Who gives a session up for whom: a pure rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { callOn, type Standing, turn_ms } from './fair-share.ts'

type Short = [held: number, waited_ms: number | null, held_ms?: number]

/** Nodes a, b, c ... and what the first must give of so many sessions. */
function asked(sessions: number, ...nodes: Short[]) {
  return callOn(standings(nodes), { node: 'a', sessions })
}

function standings(nodes: Short[]): Standing[] {
  return nodes.map(([held, waited_ms, held_ms = 60_000], i) => ({
    node: String.fromCharCode(97 + i),
    held,
    held_ms: held > 0 ? held_ms : null,
    waited_ms,
  }))
}

const at_once = { idle_ms: 0, held_ms: 0 }

test('nobody waits, or only we do: nothing is given', () => {
  assert.equal(asked(4, [4, null], [0, null]), null)
  assert.equal(asked(4, [3, 900], [1, null]), null)
  assert.equal(asked(1, [0, 900], [1, null]), null)
})

test('a slot that is free already is enough for who waits', () => {
  assert.equal(asked(4, [3, null], [0, 0]), null)
  assert.deepEqual(asked(4, [3, null], [0, 0], [0, 0]), at_once)
})

test('two more than the neediest: one is given at once, busy or not', () => {
  assert.deepEqual(asked(4, [4, null], [0, 0]), at_once)
  assert.deepEqual(asked(4, [3, 500], [1, 0]), at_once)
})

test('one more, or as many: only an unused session is given, never the last', () => {
  const unused = { idle_ms: 2_000, held_ms: null }
  assert.deepEqual(asked(3, [2, null], [1, 9_000]), unused)
  assert.deepEqual(asked(4, [2, null], [2, 9_000]), unused)
  assert.equal(asked(2, [1, null], [1, 9_000]), null)
})

test('the richest gives first, the others when that brought nothing for a while', () => {
  assert.equal(asked(7, [3, null], [4, null], [0, 0]), null)
  assert.deepEqual(asked(7, [3, null], [4, null], [0, 300]), { idle_ms: 250, held_ms: null })
  assert.deepEqual(asked(7, [3, null], [4, null], [0, turn_ms]), at_once)
})

test('more nodes than sessions: by turns, the longest held first', () => {
  const turn = { idle_ms: 250, held_ms: turn_ms }
  assert.deepEqual(asked(1, [1, null], [0, 0]), turn)
  assert.equal(asked(2, [1, null, 500], [1, null, 900], [0, 0]), null)
  assert.deepEqual(asked(2, [1, null, 900], [1, null, 500], [0, 0]), turn)
})

test('whoever waits with nothing is given something in the end, and nobody else becomes poorer than it', () => {
  const node = fc.tuple(fc.nat(4), fc.constant(null))
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 5 }), (holding) => {
      const nodes = standings([...holding, [0, 10_000]])
      const sessions = nodes.reduce((sum, { held }) => sum + held, 0)
      fc.pre(sessions > 0)
      const calls = nodes.map(({ node, held }) => ({
        held,
        call: callOn(nodes, { node, sessions }),
      }))
      assert.ok(calls.some(({ call }) => call?.held_ms !== null && call !== null))
      for (const { held, call } of calls) assert.ok(held > 0 || call === null)
    }),
  )
})
