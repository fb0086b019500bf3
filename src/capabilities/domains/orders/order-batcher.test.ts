// Many orders in one statement, on a real database: each gets its own outcome, and nothing twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { app_role } from '../../../../test/support/database.ts'
import { type Database, openDatabase } from '../../../db/database.ts'
import {
  db,
  facts,
  movePaidUntil,
  newCustomer,
  placing,
  settling,
  topUp,
} from './order-batcher.fixture.ts'
import { openOrderBatcher } from './order-batcher.ts'

const { database, query, url } = db
const batcher = openOrderBatcher(database)
const balanceOf = async (customer: string) => {
  const [row] = await query('select available, held from ledger_accounts where customer_id = $1', [
    customer,
  ])
  return [row?.available, row?.held]
}

/**
 * The client retries after a deadlock: only the server counts them, once a connection has ended.
 */
async function deadlocks(): Promise<unknown> {
  const [row] = await query(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  return row?.deadlocks
}

test('places an order once when the response to its commit was lost, however often it is repeated', async () => {
  const customer = await newCustomer(5_000n)
  const order = placing(customer, 'lost-commit.com', {
    idempotency_key: 'k',
    idempotency_digest: 'd',
  })
  assert.deepEqual(await batcher.place(order), { outcome: 'placed' })
  assert.deepEqual(await batcher.place(order), { outcome: 'placed' })
  assert.deepEqual(await balanceOf(customer), [4_000n, 1_000n])
})

test('an order ends once: the second end finds it closed and moves nothing', async () => {
  const customer = await newCustomer(5_000n)
  const order = placing(customer, 'ends-once.com')
  await batcher.place(order)
  const ends = await Promise.all([
    batcher.settle(settling(order, true)),
    batcher.settle(settling(order, false)),
    batcher.settle(settling(order, true)),
  ])
  const outcomes = ends.map(({ outcome }) => outcome).sort()
  assert.deepEqual(outcomes, ['closed', 'closed', 'settled'])
  const [available, held] = await balanceOf(customer)
  assert.equal(held, 0n)
  assert.ok(available === 4_000n || available === 5_000n)
})

test('a sender whose lease went to another may not release, but may settle a success', async () => {
  const customer = await newCustomer(5_000n)
  const order = placing(customer, 'taken-over.com')
  await batcher.place(order)
  await query(`update orders set lease_token = 'another' where id = $1`, [order.id])
  const release = await batcher.settle(settling(order, false))
  assert.equal(release.outcome, 'taken_over')
  assert.deepEqual(await balanceOf(customer), [4_000n, 1_000n])
  assert.equal((await batcher.settle(settling(order, true))).outcome, 'settled')
  assert.deepEqual(await balanceOf(customer), [4_000n, 0n])
})

test('200 buyers of one name: one order, all others are refused, and only one balance changes', async () => {
  const customers = await Promise.all(Array.from({ length: 20 }, () => newCustomer(20_000n)))
  const orders = Array.from({ length: 200 }, (_, i) =>
    placing(customers[i % 20] ?? '', 'wanted-by-many.com'),
  )
  const placed = await Promise.all(orders.map((order) => batcher.place(order)))
  assert.equal(placed.filter(({ outcome }) => outcome === 'placed').length, 1)
  assert.equal(placed.filter(({ outcome }) => outcome === 'open_order').length, 199)
  const [held] = await query(
    'select sum(held) as held from ledger_accounts where customer_id = any($1)',
    [customers],
  )
  assert.equal(String(held?.held), '1000')
})

test('an empty balance is the outcome of its own order, not of the batch', async () => {
  const [rich, poor] = [await newCustomer(1_000n), await newCustomer(999n)]
  const placed = await Promise.all([
    batcher.place(placing(rich, 'rich.com')),
    batcher.place(placing(poor, 'poor.com')),
    batcher.place(placing(rich, 'richer.com')),
  ])
  assert.deepEqual(placed, [
    { outcome: 'placed' },
    { outcome: 'insufficient_funds', available: 999n },
    { outcome: 'insufficient_funds', available: 0n },
  ])
  assert.deepEqual(
    await query(`select id from orders where domain in ('poor.com', 'richer.com')`),
    [],
  )
})

test('a key makes one order while that is open, and for 24 hours; then it may be used again', async () => {
  const customer = await newCustomer(9_000n)
  const key = { idempotency_key: 'same', idempotency_digest: 'd' }
  const first = placing(customer, 'keyed-1.com', key)
  assert.equal((await batcher.place(first)).outcome, 'placed')
  const second = await batcher.place(placing(customer, 'keyed-2.com', key))
  assert.deepEqual(second, { outcome: 'known_key', order_id: first.id })
  await query(
    `update idempotency_keys set created_at = now() - interval '25 hours' where key = 'same'`,
  )
  const third = placing(customer, 'keyed-3.com', key)
  assert.deepEqual(await batcher.place(third), { outcome: 'known_key', order_id: first.id })
  await batcher.settle(settling(first, true))
  assert.equal((await batcher.place(third)).outcome, 'placed')
})

test('the hours of a key begin again when an order ends that was open for long', async () => {
  const customer = await newCustomer(9_000n)
  const key = { idempotency_key: 'slow', idempotency_digest: 'd' }
  const first = placing(customer, 'slow-1.com', key)
  assert.equal((await batcher.place(first)).outcome, 'placed')
  for (const table of ['idempotency_keys', 'orders'])
    await query(
      `update ${table} set created_at = now() - interval '25 hours'
        where $1 in (select to_jsonb(${table}) ->> name from unnest('{id,order_id}'::text[]) name)`,
      [first.id],
    )
  await batcher.settle(settling(first, true))
  const second = await batcher.place(placing(customer, 'slow-2.com', key))
  assert.deepEqual(second, { outcome: 'known_key', order_id: first.id })
})

test('batches of several nodes over the same customers and names never deadlock', async () => {
  const nodes: Database[] = await Promise.all(
    Array.from({ length: 3 }, () => openDatabase({ url, app_role, pool_size: 3 })),
  )
  const customers = await Promise.all(Array.from({ length: 8 }, () => newCustomer(1_000_000n)))
  const round = () =>
    nodes.flatMap((db) => {
      const mine = openOrderBatcher(db, 0)
      return Array.from({ length: 120 }, async (_, i) => {
        const order = placing(customers[(i * 7) % 8] ?? '', `mixed-${(i * 13) % 40}.com`)
        const { outcome } = await mine.place(order)
        if (outcome === 'placed') await mine.settle(settling(order, i % 3 === 0))
        return outcome
      })
    })
  // Twice, as all orders of the first round may be placed before one of them ends.
  const outcomes = [...(await Promise.all(round())), ...(await Promise.all(round()))]
  // Some customers order again what they got.
  assert.deepEqual([...new Set(outcomes)].sort(), ['fence_mismatch', 'open_order', 'placed'])
  const uneven = await query(
    `select o.id from orders o left join ledger_entries e on e.operation_id = o.id
      where o.domain like 'mixed-%' group by o.id having count(e.id) <> 2`,
  )
  assert.deepEqual(uneven, [])
  await Promise.all(nodes.map((db) => db.close()))
  assert.equal(await deadlocks(), 0n)
})

test('refuses a name that the customer already holds; another customer may place it', async () => {
  const [holder, another] = [await newCustomer(9_000n), await newCustomer(9_000n)]
  const purchased = placing(holder, 'held-by-now.com')
  await batcher.place(purchased)
  await batcher.settle(settling(purchased, true))
  for (const type of ['register', 'transfer'])
    assert.deepEqual(await batcher.place(placing(holder, 'held-by-now.com', { type })), {
      outcome: 'fence_mismatch',
    })
  const orders = await query(`select id from orders where domain = 'held-by-now.com'`)
  assert.equal(orders.length, 1)
  const moved = placing(another, 'held-by-now.com', { type: 'transfer' })
  assert.deepEqual(await batcher.place(moved), { outcome: 'placed' })
})

test('a name whose deletion has begun takes a restore and no renewal, until it is restored', async () => {
  const customer = await newCustomer(9_000n)
  const purchased = placing(customer, 'unrenewed.com')
  await batcher.place(purchased)
  await batcher.settle(settling(purchased, true))
  await query(`update domains set deletion_at = now() where name = 'unrenewed.com'`)
  const again = (type: string) =>
    placing(customer, 'unrenewed.com', { type, fence: facts.paid_until })
  assert.deepEqual(await batcher.place(again('renew')), { outcome: 'fence_mismatch' })
  // Not in redemption (yet): nothing to restore.
  assert.deepEqual(await batcher.place(again('restore')), { outcome: 'fence_mismatch' })
  const showing = (statuses: string) =>
    query(`update domains set rgp_statuses = $1 where name = 'unrenewed.com'`, [statuses])
  await showing('{redemptionPeriod,pendingRestore}')
  assert.deepEqual(await batcher.place(again('restore')), { outcome: 'fence_mismatch' })
  await showing('{redemptionPeriod}')
  assert.deepEqual(await batcher.place(again('renew')), { outcome: 'fence_mismatch' })
  const restored = again('restore')
  assert.deepEqual(await batcher.place(restored), { outcome: 'placed' })
  const unchanged = { ...facts, paid_years: 0 }
  await batcher.settle(settling(restored, true, { holding: unchanged }))
  // The price of the second one was agreed on before the first one ended.
  assert.deepEqual(await batcher.place(again('restore')), { outcome: 'fence_mismatch' })
  assert.deepEqual(await batcher.place(again('renew')), { outcome: 'placed' })
})

test('a repeated order stays placed after its holding has changed', async () => {
  const customer = await newCustomer(9_000n)
  const purchased = placing(customer, 'changed.com')
  await batcher.place(purchased)
  await batcher.settle(settling(purchased, true))
  const renewal = placing(customer, 'changed.com', { type: 'renew', fence: facts.paid_until })
  assert.deepEqual(await batcher.place(renewal), { outcome: 'placed' })
  await movePaidUntil(query, 'changed.com', 'now()')
  assert.deepEqual(await batcher.place(renewal), { outcome: 'fence_mismatch' })
  assert.equal((await batcher.settle(settling(renewal, false))).outcome, 'settled')
  assert.deepEqual(await balanceOf(customer), [8_000n, 0n])
})

test('renewals in two currencies, placed and settled by several nodes, never deadlock', async () => {
  const nodes: Database[] = await Promise.all(
    Array.from({ length: 3 }, () => openDatabase({ url, app_role, pool_size: 3 })),
  )
  // Names go to and fro between two customers.
  const [one, other] = [await newCustomer(100_000_000n), await newCustomer(100_000_000n)]
  for (const customer of [one, other]) await topUp(customer, 100_000_000n, 'EUR')
  const names = Array.from({ length: 12 }, (_, n) => `both-${n}.com`)
  for (const name of names) {
    const purchased = placing(one, name)
    await batcher.place(purchased)
    await batcher.settle(settling(purchased, true))
  }
  const seen = new Set<string>()
  const work = nodes.flatMap((node, at) => {
    const mine = openOrderBatcher(node, 0)
    return Array.from({ length: 150 }, async (_, n) => {
      const order = placing(n % 4 < 2 ? one : other, names[(n * 5 + at) % 12] ?? '', {
        type: n % 3 === 0 ? 'transfer' : 'renew',
        fence: n % 3 === 0 ? null : facts.paid_until,
        currency: n % 2 === 0 ? 'USD' : 'EUR',
      })
      const { outcome } = await mine.place(order)
      seen.add(outcome)
      if (outcome === 'placed') await mine.settle(settling(order, n % 4 > 0))
    })
  })
  await Promise.all(work)
  assert.deepEqual([...seen].sort(), ['fence_mismatch', 'open_order', 'placed'])
  await Promise.all(nodes.map((node) => node.close()))
  assert.equal(await deadlocks(), 0n)
})
