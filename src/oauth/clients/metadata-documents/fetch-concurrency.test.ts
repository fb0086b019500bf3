// Shares of the concurrent document fetches of a node.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFetchLimits } from './fetch-concurrency.ts'

const unknownClient = (client_address: number, host: number) => ({
  client_address: `192.0.2.${client_address}`,
  host: `h${host}.example`,
  known: false,
})

/** How many of these claims get a permit. */
function granted(
  limits: ReturnType<typeof openFetchLimits>,
  claims: ReturnType<typeof unknownClient>[],
): number {
  return claims.filter((claim) => limits.tryAcquire(claim) !== undefined).length
}

test('limits one address to 3 fetches for unknown clients', () => {
  const limits = openFetchLimits()
  const claims = Array.from({ length: 10 }, (_, host) => unknownClient(1, host))
  assert.equal(granted(limits, claims), 3)
  assert.equal(granted(limits, [unknownClient(2, 1)]), 1)
})

test('limits one host to 8 fetches, without counting its known clients', () => {
  const limits = openFetchLimits()
  const claims = Array.from({ length: 20 }, (_, client_address) => unknownClient(client_address, 1))
  assert.equal(granted(limits, claims), 8)
  assert.equal(granted(limits, [{ ...unknownClient(1, 1), known: true }]), 1)
})

test('reserves 16 permits for known clients, however many unknown clients ask', () => {
  const limits = openFetchLimits()
  const claims = Array.from({ length: 500 }, (_, i) => unknownClient(i % 250, i))
  assert.equal(granted(limits, claims), 48)
  const known = claims.map((claim) => ({ ...claim, known: true }))
  assert.equal(granted(limits, known), 16)
})

test('limits one address to 16 fetches for known clients', () => {
  const limits = openFetchLimits()
  const claims = Array.from({ length: 50 }, (_, host) => ({
    ...unknownClient(1, host),
    known: true,
  }))
  assert.equal(granted(limits, claims), 16)
})

test('a released permit can be acquired again, once', () => {
  const limits = openFetchLimits()
  const releases = [1, 2, 3].map((host) => limits.tryAcquire(unknownClient(1, host)))
  assert.equal(limits.tryAcquire(unknownClient(1, 4)), undefined)
  releases[1]?.()
  releases[1]?.()
  assert.equal(granted(limits, [unknownClient(1, 4), unknownClient(1, 5)]), 1)
})
