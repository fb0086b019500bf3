// Limits that several nodes share: they never grant more than the quota, and most requests need no
// query.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/support/database.ts'
import { limitHeaders, openLimits, type Policy, takeForAddress } from './leased-quotas.ts'

const { database } = await testDatabase()
// A window ends at a multiple of its length: this one ends in 2033, and not while a test counts in
// it.
const window_s = 2_000_000_000
const policy = (name: string, quota: number): Policy => ({ name, quota, window_s })

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
  assert.ok(third.resets_s > 0 && third.resets_s <= window_s)
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
  const until = Date.now() + 20_000
  while (Date.now() < until && !(await limits.take(short, 'k', 1)).allowed)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(Date.now() < until)
})

test('while the database is away each node grants a tenth on its own', async () => {
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

test('evicting a lease from memory does not restore the quota', async () => {
  const limits = openLimits(database, { capacity: 4 })
  const spent = policy('evicted', 3)
  for (let i = 0; i < 3; i += 1) assert.ok((await limits.take(spent, 'spender', 1)).allowed)
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 8; i += 1) await limits.take(policy('others', 10), `${round} ${i}`, 1)
    assert.equal((await limits.take(spent, 'spender', 1)).allowed, false, `round ${round}`)
  }
})

test('evicting leases while the database is away grants at most one share for each lease', async () => {
  const away = {
    ...database,
    one: async () => {
      throw new Error('away')
    },
  }
  const limits = openLimits(away, { capacity: 10 })
  let allowed = 0
  for (let round = 0; round < 20; round += 1)
    for (let i = 0; i < 20; i += 1)
      if ((await limits.take(policy('away', 10), `k${i}`, 1)).allowed) allowed += 1
  assert.equal(allowed, 10)
})

test('costs the same for each of more addresses than a node has leases as for each of a few', async () => {
  const granted = { granted: 10, left: 90, resets_s: 3600 }
  // The database's time is left out, because the cache is measured.
  const limits = openLimits({ ...database, one: async () => Object(granted) })
  const cost_us = async (addresses: number, from: number) => {
    const before = process.cpuUsage()
    for (let i = from; i < from + addresses; i += 1)
      await limits.take(policy('cost', 100), `${i}`, 1)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / addresses
  }
  const few = await cost_us(10_000, 0)
  await cost_us(40_000, 10_000)
  const many = await cost_us(10_000, 50_000)
  assert.ok(many < 5 * few + 20, `${few} us per request of the first, ${many} us of the last`)
})

test('an IPv6 site has four times the quota of one of its /64, which share it', async () => {
  const limits = openLimits(database)
  const at = (group: number) => `2001:db8:7:${group.toString(16)}::/64`
  const taken = async (address: string) =>
    (await takeForAddress(limits, policy('site', 10), { address, units: 1 })).allowed
  let allowed = 0
  for (let group = 1; group <= 100; group += 1)
    for (let i = 0; i < 5; i += 1) if (await taken(at(group))) allowed += 1
  assert.equal(allowed, 40)
  const refused = await takeForAddress(limits, policy('site', 10), { address: at(101), units: 1 })
  assert.equal(refused.policy.name, 'site-of-site')
  assert.equal(await taken('2001:db8:8:1::/64'), true, 'another site')
  for (let i = 0; i < 30; i += 1) await taken('2001:db8:9:1::/64')
  assert.equal(await taken('2001:db8:9:2::/64'), true, 'a /64 uses up its own quota alone')
})

test('IPv4 addresses are no site', async () => {
  const limits = openLimits(database)
  for (let i = 0; i < 100; i += 1) {
    const address = `192.0.2.${i}`
    assert.ok(
      (await takeForAddress(limits, policy('v4', 1), { address, units: 1 })).allowed,
      address,
    )
  }
})

test('the header fields show the remaining units', () => {
  const requests = { name: 'requests', quota: 100, window_s: 3600 }
  const state = { policy: requests, allowed: true, left: 42, resets_s: 29.2 }
  assert.deepEqual(limitHeaders([state]), {
    'RateLimit-Policy': '"requests";q=100;w=3600',
    RateLimit: '"requests";r=42;t=30',
  })
})
