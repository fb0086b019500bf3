// Who has which share of the readings that a node does at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFetchLimits } from './fetch-concurrency.ts'

const stranger = (asker: number, host: number) => ({
  asker: `192.0.2.${asker}`,
  host: `h${host}.example`,
  known: false,
})

/** How many of these claims are given a slot. */
function taken(
  limits: ReturnType<typeof openFetchLimits>,
  claims: ReturnType<typeof stranger>[],
): number {
  return claims.filter((claim) => limits.tryAcquire(claim) !== undefined).length
}

test('one address has 3 for clients that are unknown', () => {
  const limits = openFetchLimits()
  const claims = Array.from({ length: 10 }, (_, host) => stranger(1, host))
  assert.equal(taken(limits, claims), 3)
  assert.equal(taken(limits, [stranger(2, 1)]), 1)
})

test('one host has 8, and its known clients are not among them', () => {
  const limits = openFetchLimits()
  const claims = Array.from({ length: 20 }, (_, asker) => stranger(asker, 1))
  assert.equal(taken(limits, claims), 8)
  assert.equal(taken(limits, [{ ...stranger(1, 1), known: true }]), 1)
})

test('whatever strangers do, known clients have 16 to themselves', () => {
  const limits = openFetchLimits()
  const claims = Array.from({ length: 500 }, (_, i) => stranger(i % 250, i))
  assert.equal(taken(limits, claims), 48)
  const known = claims.map((claim) => ({ ...claim, known: true }))
  assert.equal(taken(limits, known), 16)
})

test('one address has 16 for known clients', () => {
  const limits = openFetchLimits()
  const claims = Array.from({ length: 50 }, (_, host) => ({ ...stranger(1, host), known: true }))
  assert.equal(taken(limits, claims), 16)
})

test('a slot that was given back is there for the next', () => {
  const limits = openFetchLimits()
  const giveBack = [1, 2, 3].map((host) => limits.tryAcquire(stranger(1, host)))
  assert.equal(limits.tryAcquire(stranger(1, 4)), undefined)
  giveBack[1]?.()
  giveBack[1]?.()
  assert.equal(taken(limits, [stranger(1, 4), stranger(1, 5)]), 1)
})
