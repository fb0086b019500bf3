// Budgets of keys at the hold: never overshot, and restored by a release.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { app_role } from '../../../../../test/support/database.ts'
import { openDatabase } from '../../../../db/database.ts'
import { newId } from '../../../../kit/random.ts'
import { db, newCustomer, placing, settling } from '../order-batcher.fixture.ts'
import { openOrderBatcher } from '../order-batcher.ts'

const other = await openDatabase({ url: db.url, app_role })
after(() => other.close())
const nodes = [openOrderBatcher(db.database, 0), openOrderBatcher(other, 0)]
const at = (node: number) => nodes[node % 2] ?? assert.fail()
let names = 0
const nextName = () => {
  names += 1
  return `limited-${names}.com`
}

/** Keys, each made with the one before it. */
async function chainOf(customer: string, length: number): Promise<string[]> {
  const keys: string[] = []
  for (let at = 0; at < length; at += 1) {
    const [row] = await db.query(
      `insert into api_keys (customer_id, parent_key_id, ancestors, key_hash, key_prefix, scopes,
                             created_at)
       values ($1, $2, $3, sha256($4::text::bytea), 'p', '{domains:purchase}', now()) returning id`,
      [customer, keys.at(-1) ?? null, keys, newId('key')],
    )
    keys.push(String(row?.id))
  }
  return keys
}

type Budget = { amount: number; window?: string; currency?: string }
async function budget(customer: string, key: string, { amount, window, currency }: Budget) {
  await db.query(
    `insert into access_limits (customer_id, api_key_id, spend_amount, spend_currency,
                                spend_window, created_at, updated_at)
     values ($1, $2, $3, $4, $5, now(), now())`,
    [customer, key, amount, currency ?? 'USD', window ?? 'month'],
  )
}

async function spentOf(key: string | undefined): Promise<number> {
  const [row] = await db.query('select spent from access_limits where api_key_id = $1', [key])
  return Number(row?.spent)
}

test('200 purchases at once on two nodes, through a chain of three keys, never overshoot', async () => {
  const customer = await newCustomer(1_000_000n)
  const keys = await chainOf(customer, 3)
  const caps = [10_000, 9_000, 7_777]
  for (const [at, key] of keys.entries())
    await budget(customer, key, { amount: caps[at] ?? 0, window: 'total' })
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      at(i).place(placing(customer, nextName(), { amount: '99', api_key_id: keys[2] ?? null })),
    ),
  )
  const refused = outcomes.filter(({ outcome }) => outcome !== 'placed')
  assert.equal(outcomes.length - refused.length, 78)
  for (const one of refused) assert.deepEqual(one, { outcome: 'limit', rule: 'spend_limit' })
  for (const key of keys) assert.equal(await spentOf(key), 78 * 99)
  const [{ held } = {}] = await db.query(
    'select held from ledger_accounts where customer_id = $1',
    [customer],
  )
  assert.equal(held, 7_722n)
})

test('a refused purchase leaves no order, and takes nothing from the limits that had enough', async () => {
  const customer = await newCustomer(5_000n)
  const [wide = '', narrow = ''] = await chainOf(customer, 2)
  await budget(customer, wide, { amount: 5_000 })
  await budget(customer, narrow, { amount: 1_500 })
  const order = placing(customer, nextName(), { api_key_id: narrow })
  assert.deepEqual(await at(0).place(order), { outcome: 'placed' })
  const second = placing(customer, nextName(), { api_key_id: narrow })
  assert.deepEqual(await at(0).place(second), { outcome: 'limit', rule: 'spend_limit' })
  assert.deepEqual(await db.query('select 1 from orders where id = $1', [second.id]), [])
  assert.deepEqual([await spentOf(wide), await spentOf(narrow)], [1_000, 1_000])
})

test('a lost commit that is placed again counts once, also where the budget is used up', async () => {
  const customer = await newCustomer(5_000n)
  const [key = ''] = await chainOf(customer, 1)
  await budget(customer, key, { amount: 1_000 })
  const order = placing(customer, nextName(), { api_key_id: key })
  assert.deepEqual(await at(0).place(order), { outcome: 'placed' })
  assert.deepEqual(await at(1).place(order), { outcome: 'placed' })
  assert.equal(await spentOf(key), 1_000)
})

test('an empty balance takes nothing from the budget', async () => {
  const customer = await newCustomer(500n)
  const [key = ''] = await chainOf(customer, 1)
  await budget(customer, key, { amount: 5_000 })
  const placed = await at(0).place(placing(customer, nextName(), { api_key_id: key }))
  assert.equal(placed.outcome, 'insufficient_funds')
  assert.equal(await spentOf(key), 0)
})

test('a currency that a limit does not have, and a price above it, are refused', async () => {
  const customer = await newCustomer(5_000n, 'EUR')
  const [key = ''] = await chainOf(customer, 1)
  await budget(customer, key, { amount: 5_000 })
  const euros = placing(customer, nextName(), { api_key_id: key, currency: 'EUR' })
  assert.deepEqual(await at(0).place(euros), { outcome: 'limit', rule: 'currency' })
  await db.query(
    `update access_limits set spend_currency = 'EUR', price_amount = 999, price_currency = 'EUR'
      where api_key_id = $1`,
    [key],
  )
  assert.deepEqual(await at(0).place(euros), { outcome: 'limit', rule: 'max_price' })
  assert.equal(await spentOf(key), 0)
})

test('a release gives back to the window of its hold, and to no later one', async () => {
  const customer = await newCustomer(5_000n)
  const [day = '', month = ''] = await chainOf(customer, 2)
  await budget(customer, day, { amount: 5_000, window: 'day' })
  await budget(customer, month, { amount: 5_000, window: 'month' })
  const orders = [1, 2, 3].map(() => placing(customer, nextName(), { api_key_id: month }))
  for (const order of orders) assert.deepEqual(await at(0).place(order), { outcome: 'placed' })
  const [first, second, third] = orders
  assert.ok(first && second && third)
  await at(0).settle(settling(first, false))
  assert.deepEqual([await spentOf(day), await spentOf(month)], [2_000, 2_000])
  await at(0).settle(settling(second, true))
  assert.deepEqual([await spentOf(day), await spentOf(month)], [2_000, 2_000])
  // As if midnight had passed, and something had been bought since.
  await db.query(
    `update access_limits set spent_from = spent_from + 1, spent = 700 where api_key_id = $1`,
    [day],
  )
  await at(0).settle(settling(third, false))
  assert.deepEqual([await spentOf(day), await spentOf(month)], [700, 1_000])
})

test('a window that has passed counts for nothing', async () => {
  const customer = await newCustomer(5_000n)
  const [key = ''] = await chainOf(customer, 1)
  await budget(customer, key, { amount: 1_000, window: 'day' })
  await db.query(
    `update access_limits set spent = 1000, spent_from = (now() at time zone 'UTC')::date - 1
      where api_key_id = $1`,
    [key],
  )
  const order = placing(customer, nextName(), { api_key_id: key })
  assert.deepEqual(await at(0).place(order), { outcome: 'placed' })
  assert.equal(await spentOf(key), 1_000)
})

test('a clock that is set back, as by a failover at midnight, restores no budget', async () => {
  for (const window of ['day', 'month']) {
    const customer = await newCustomer(9_000n)
    const [key = ''] = await chainOf(customer, 1)
    await budget(customer, key, { amount: 2_500, window })
    await db.query(
      `update access_limits
          set spent = 2000, spent_from = limit_window_start($2, now() + ('1 ' || $2)::interval)
        where api_key_id = $1`,
      [key, window],
    )
    const place = () => at(0).place(placing(customer, nextName(), { api_key_id: key }))
    assert.deepEqual(await place(), { outcome: 'limit', rule: 'spend_limit' }, window)
    await db.query('update access_limits set spend_amount = 3500 where api_key_id = $1', [key])
    assert.deepEqual(await place(), { outcome: 'placed' })
    assert.equal(await spentOf(key), 3_000)
    // The window is still the later one, so that it does not begin again.
    assert.deepEqual(await place(), { outcome: 'limit', rule: 'spend_limit' }, window)
  }
})

test('any order of purchases and releases leaves what the open and paid orders cost', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ key: fc.nat(2), cents: fc.integer({ min: 1, max: 900 }) }), {
        minLength: 2,
        maxLength: 12,
      }),
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      async (wanted, ends) => {
        const customer = await newCustomer(1_000_000n)
        const keys = await chainOf(customer, 3)
        for (const [at, key] of keys.entries())
          await budget(customer, key, { amount: 3_000 - at * 700 })
        const orders = wanted.map(({ key, cents }) =>
          placing(customer, nextName(), { amount: String(cents), api_key_id: keys[key] ?? null }),
        )
        const placed = await Promise.all(orders.map((order, i) => at(i).place(order)))
        const open = orders.filter((_, i) => placed[i]?.outcome === 'placed')
        await Promise.all(
          open.map((order, i) => i % 3 > 0 && at(i).settle(settling(order, ends[i] ?? true))),
        )
        for (const [depth, key] of keys.entries()) {
          const [row] = await db.query(
            `select coalesce(sum(amount), 0)::int as taken from orders
              where customer_id = $1 and state <> 'failed' and api_key_id = any ($2)`,
            [customer, keys.slice(depth)],
          )
          assert.equal(await spentOf(key), row?.taken)
          assert.ok(Number(row?.taken) <= 3_000 - depth * 700)
        }
      },
    ),
    { numRuns: 15 },
  ))
