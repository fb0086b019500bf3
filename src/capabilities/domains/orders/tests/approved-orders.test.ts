// Approvals at the hold: each places exactly the order that was approved, once.
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
const nextName = () => {
  names += 1
  return `asked-${names}.com`
}

async function keyOf(customer: string): Promise<string> {
  const [row] = await db.query(
    `insert into api_keys (customer_id, ancestors, key_hash, key_prefix, scopes, created_at)
     values ($1, '{}', sha256($2::text::bytea), 'p', '{domains:purchase}', now()) returning id`,
    [customer, newId('key')],
  )
  await db.query(
    `insert into access_limits (customer_id, api_key_id, approval_amount, approval_currency,
                                created_at, updated_at) values ($1, $2, 500, 'USD', now(), now())`,
    [customer, row?.id],
  )
  return String(row?.id)
}

const digest = 'a'.repeat(64)

/** An order of 10.00 USD with the approval of it. */
async function approved(more: { state?: string; expires_in?: string } = {}) {
  const customer = await newCustomer(1_000_000n)
  const key = await keyOf(customer)
  const id = newId('apr')
  const domain = nextName()
  await db.query(
    `insert into approvals (id, customer_id, api_key_id, counted_for, asked_by, agent_identifier,
       action, domain, reason, request_digest, digest, request, amount, currency, state,
       decided_at, created_at, expires_at)
     values ($1, $2, $3, 'key:' || $3::bigint, 'agent', 'test', 'register_domain', $4,
             'approval_above', $5, $5, '{}', 1000, 'USD', $6, now(), now(), now() + $7::interval)`,
    [id, customer, key, domain, digest, more.state ?? 'approved', more.expires_in ?? '1 day'],
  )
  const wanted = { api_key_id: key, approval_id: id, approval_digest: digest }
  return { id, customer, key, order: placing(customer, domain, wanted) }
}

const stateOf = async (id: string) => {
  const [row] = await db.query('select state, order_id from approvals where id = $1', [id])
  return [row?.state, row?.order_id]
}

test('without its approval the order is refused; with it, it is placed for up to that price', async () => {
  const { id, order } = await approved()
  const bare = { ...order, approval_id: null, approval_digest: null }
  assert.deepEqual(await place(bare), { outcome: 'limit', rule: 'unapproved' })
  assert.deepEqual(await place({ ...order, amount: '999' }), { outcome: 'placed' })
  assert.deepEqual(await stateOf(id), ['executed', order.id])
})

test('an order that differs in anything is refused, and the approval is not used', async () => {
  const { id, customer, order } = await approved()
  const foreign = await approved()
  const mutations: Record<string, Partial<Placement>> = {
    'a higher price': { amount: '1001' },
    'another name': { domain: nextName() },
    'another currency': { currency: 'EUR' },
    'another digest: period, contact, name servers': { approval_digest: 'b'.repeat(64) },
    'another key': { api_key_id: await keyOf(customer) },
    'no key': { api_key_id: null },
    'another account': { customer_id: foreign.customer, api_key_id: foreign.key },
    'an approval that is not there': { approval_id: newId('apr') },
  }
  for (const [mutation, change] of Object.entries(mutations)) {
    const placed = await place({ ...order, id: newId('ord'), ...change })
    assert.deepEqual(placed, { outcome: 'unapproved' }, mutation)
  }
  assert.deepEqual(await stateOf(id), ['approved', null])
  assert.deepEqual(await place(order), { outcome: 'placed' })
})

test('one that is not approved, or whose time is over, places nothing', async () => {
  const ends = ['pending', 'declined', 'expired', 'voided', 'failed']
  for (const state of ends) {
    const { id, order } = await approved()
    if (state === 'pending') {
      await db.query(`begin; set local session_replication_role = replica;
        update approvals set state = 'pending' where id = '${id}'; commit`)
    } else {
      await db.query('update approvals set state = $2, ended_at = now() where id = $1', [id, state])
    }
    assert.deepEqual(await place(order), { outcome: 'unapproved' }, state)
  }
  const late = await approved({ expires_in: '-1 second' })
  assert.deepEqual(await place(late.order), { outcome: 'unapproved' })
})

test('it is used once, on any number of nodes and in one batch; again after a lost commit', async () => {
  const { id, order } = await approved()
  const orders = Array.from({ length: 20 }, () => ({ ...order, id: newId('ord') }))
  const outcomes = await Promise.all(orders.map((one, i) => place(one, i % 2)))
  assert.equal(outcomes.filter(({ outcome }) => outcome === 'placed').length, 1)
  const [state, used] = await stateOf(id)
  assert.equal(state, 'executed')
  const first = orders.find((one) => one.id === used) ?? assert.fail()
  assert.deepEqual(await place(first), { outcome: 'placed' })
  const [held] = await db.query('select count(*)::int from orders where customer_id = $1', [
    order.customer_id,
  ])
  assert.equal(held?.count, 1)
})

test('an end is final, and a revoked key ends its requests', async () => {
  const { id, order, key } = await approved()
  await place(order)
  for (const state of ['pending', 'approved', 'voided'])
    await assert.rejects(
      db.query('update approvals set state = $2, ended_at = null where id = $1', [id, state]),
      /has been decided/,
    )
  const { id: open, key: mine } = await approved()
  await db.query('update api_keys set revoked_at = now() where id = any ($1)', [[mine, key]])
  assert.deepEqual(await stateOf(open), ['voided', null])
  assert.deepEqual(await stateOf(id), ['executed', order.id])
})
