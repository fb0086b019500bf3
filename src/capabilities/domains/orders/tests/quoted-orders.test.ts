// Quotes at the hold: each is for exactly one order, also at two nodes at once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { app_role } from '../../../../../test/support/database.ts'
import { openDatabase } from '../../../../db/database.ts'
import { newId } from '../../../../kit/random.ts'
import { db, newCustomer, placing } from '../order-batcher.fixture.ts'
import { openOrderBatcher, type Placement } from '../order-batcher.ts'

const other = await openDatabase({ url: db.url, app_role })
after(() => other.close())
const nodes = [openOrderBatcher(db.database), openOrderBatcher(other)]
const place = (order: Placement, node = 0) => (nodes[node] ?? assert.fail()).place(order)
let names = 0

/** An order of 10.00 USD with a quote of it. */
async function quoted({ expires_in = '5 minutes' } = {}) {
  const customer = await newCustomer(1_000_000n)
  const quote_id = newId('quo')
  names += 1
  const domain = `quoted-${names}.com`
  await db.query(
    `insert into quotes (id, customer_id, type, domain, period_years, currency, amount, price,
                         created_at, expires_at)
     values ($1, $2, 'register', $3, 1, 'USD', 1000, '{}', now() - interval '1 hour',
             now() + $4::interval)`,
    [quote_id, customer, domain, expires_in],
  )
  const command = { period_years: 1 }
  return { customer, order: placing(customer, domain, { quote_id, command, amount: '1000' }) }
}

test('an order that differs in anything is refused, and the quote is not used', async () => {
  const { order } = await quoted()
  const foreign = await quoted()
  const mutations: Record<string, Partial<Placement>> = {
    customer: { customer_id: foreign.customer },
    domain: { domain: 'another-quoted.com' },
    'kind of order': { type: 'transfer' },
    'number of years': { command: { period_years: 2 } },
    currency: { currency: 'EUR' },
    'higher price': { amount: '1001' },
    quote: { quote_id: foreign.order.quote_id },
    'quote that is unknown': { quote_id: newId('quo') },
  }
  for (const [what, change] of Object.entries(mutations))
    assert.deepEqual(
      await place({ ...order, id: newId('ord'), ...change }),
      { outcome: 'unquoted' },
      what,
    )
  assert.deepEqual(await place({ ...order, amount: '999' }), { outcome: 'placed' })
})

test('an expired quote places nothing', async () => {
  const { order } = await quoted({ expires_in: '-1 second' })
  assert.deepEqual(await place(order), { outcome: 'unquoted' })
})

test('of twenty orders at two nodes at once, one is placed by the quote', async () => {
  const { order } = await quoted()
  const all = Array.from({ length: 20 }, (_, at) => ({ ...order, id: newId('ord'), at }))
  const results = await Promise.all(all.map(({ at, ...one }) => place(one, at % 2)))
  const placed = results.filter(({ outcome }) => outcome === 'placed')
  assert.equal(placed.length, 1)
  assert.ok(results.every(({ outcome }) => ['placed', 'unquoted', 'open_order'].includes(outcome)))
})

test('an order whose commit was not answered is placed again, and counts as placed', async () => {
  const { order } = await quoted()
  assert.deepEqual(await place(order), { outcome: 'placed' })
  assert.deepEqual(await place(order, 1), { outcome: 'placed' })
  assert.deepEqual(await place({ ...order, id: newId('ord') }), { outcome: 'unquoted' })
})
