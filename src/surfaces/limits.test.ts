// Limits that several nodes share: never more than the quota, and most requests without a query.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/support/database.ts'
import { limitHeaders, openLimits, type Policy } from './limits.ts'

const { database } = await testDatabase()
const policy = (name: string, quota: number): Policy => ({ name, quota, window_s: 3600 })

test('one node can use the whole quota, and not a unit more', async () => {
  const limits = openLimits(database)
  const takes = await Promise.all(
    Array.from({ length: 150 }, () => limits.take(policy('one', 100), 'k', 1)),
  )
  assert.equal(takes.filter(({ allowed }) => allowed).length, 100)
  assert.equal(takes.at(-1)?.left, 0)
})

test('four nodes together never get more than the quota', async () => {
  const nodes = Array.from({ length: 4 }, () => openLimits(database))
  const takes = await Promise.all(
    nodes.flatMap((node) =>
      Array.from({ length: 60 }, () => node.take(policy('four', 100), 'k', 1)),
    ),
  )
  const allowed = takes.filter((take) => take.allowed).length
  assert.ok(allowed <= 100 && allowed >= 90, `${allowed} of 100`)
})

test('fifty nodes that die after one request take fifty units with them', async () => {
  for (let i = 0; i < 50; i += 1) {
    const { allowed } = await openLimits(database).take(policy('dying', 100), 'k', 1)
    assert.equal(allowed, true, `node ${i}`)
  }
  assert.equal((await openLimits(database).take(policy('dying', 100), 'k', 1)).left, 49)
})

test('a request that costs 200 takes 200', async () => {
  const limits = openLimits(database)
  const first = await limits.take(policy('cost', 500), 'k', 200)
  assert.equal(first.left, 300)
  assert.equal((await limits.take(policy('cost', 500), 'k', 200)).left, 100)
  const third = await limits.take(policy('cost', 500), 'k', 200)
  assert.equal(third.allowed, false)
  assert.ok(third.resets_s > 0 && third.resets_s <= 3600)
})

test('keys and policies do not share', async () => {
  const limits = openLimits(database)
  assert.equal((await limits.take(policy('a', 1), 'k', 1)).allowed, true)
  assert.equal((await limits.take(policy('a', 1), 'k', 1)).allowed, false)
  assert.equal((await limits.take(policy('a', 1), 'l', 1)).allowed, true)
  assert.equal((await limits.take(policy('b', 1), 'k', 1)).allowed, true)
})

test('a window that ended gives the quota back', async () => {
  const limits = openLimits(database)
  const short: Policy = { name: 'short', quota: 1, window_s: 1 }
  assert.equal((await limits.take(short, 'k', 1)).allowed, true)
  const until = Date.now() + 5_000
  while (Date.now() < until && !(await limits.take(short, 'k', 1)).allowed)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(Date.now() < until)
})

test('while the database is away each node grants a tenth by itself', async () => {
  const limits = openLimits({
    ...database,
    one: async () => {
      throw new Error('away')
    },
  })
  const takes = await Promise.all(
    Array.from({ length: 30 }, () => limits.take(policy('away', 100), 'k', 1)),
  )
  assert.equal(takes.filter(({ allowed }) => allowed).length, 10)
})

test('the header fields say what is left', () => {
  const standing = { policy: policy('requests', 100), allowed: true, left: 42, resets_s: 29.2 }
  assert.deepEqual(limitHeaders([standing]), {
    'RateLimit-Policy': '"requests";q=100;w=3600',
    RateLimit: '"requests";r=42;t=30',
  })
})
