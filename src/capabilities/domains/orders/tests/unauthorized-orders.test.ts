// The caller's right at the hold: an end that was committed before is seen, whatever the caller was
// when it was authenticated, and one that comes later waits until the money is held.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../../../../kit/random.ts'
import { db, newCustomer, placing } from '../order-batcher.fixture.ts'
import { openOrderBatcher, type Placement } from '../order-batcher.ts'

const { place } = openOrderBatcher(db.database, 0)
const other = new pg.Client({ connectionString: db.url })
await other.connect()
after(() => other.end())

let names = 0
const nextName = () => {
  names += 1
  return `unauthorized-${names}.com`
}
const ended = { outcome: 'limit', rule: 'ended' }
const placed = { outcome: 'placed' }
const hashOf = (of: string) => of.repeat(32)

type Shown = Pick<Placement, 'customer_id'> & Partial<Placement>

async function keyOf(customer_id: string, hash: string): Promise<Shown> {
  const [row] = await db.query(
    `insert into api_keys (customer_id, key_hash, key_prefix, scopes, created_at)
     values ($1, decode($2, 'hex'), 'p', '{domains:purchase}', now()) returning id`,
    [customer_id, hashOf(hash)],
  )
  return { customer_id, api_key_id: String(row?.id), key_hash: hashOf(hash) }
}

async function sessionOf(customer_id: string): Promise<Shown> {
  const [row] = await db.query(
    `insert into sessions (customer_id, token_hash, created_at, signed_in_at, last_used_at,
                           expires_at, agent, address)
     values ($1, sha256($2::text::bytea), now(), now(), now(), now() + interval '1 day', 't', 't')
     returning id`,
    [customer_id, newId('ses')],
  )
  return { customer_id, session_id: String(row?.id) }
}

async function grantOf(customer_id: string): Promise<Shown> {
  const id = newId('grant')
  await db.query(
    `insert into oauth_grants (id, customer_id, client_id, client_name, redirect_host, scopes,
                               resource, created_at)
     values ($1, $2, 'c', 'C', 'h', '{domains:purchase}', 'r', now())`,
    [id, customer_id],
  )
  return { customer_id, oauth_grant_id: id }
}

const order = ({ customer_id, ...shown }: Shown) => placing(customer_id, nextName(), shown)

test('each end of a caller refuses its purchase, and none of the others in the batch', async () => {
  const customer = await newCustomer(1_000_000n)
  const key = await keyOf(customer, 'a1')
  const sleeper = await newCustomer(1_000_000n)
  const ends = [
    [await sessionOf(customer), 'update sessions set ended_at = now() where id = $1', 'session_id'],
    [
      await sessionOf(customer),
      'update sessions set expires_at = now() where id = $1',
      'session_id',
    ],
    [
      await keyOf(customer, 'b2'),
      'update api_keys set revoked_at = now() where id = $1',
      'api_key_id',
    ],
    [
      await keyOf(customer, 'c3'),
      'update api_keys set expires_at = now() where id = $1',
      'api_key_id',
    ],
    [await keyOf(customer, 'd4'), `update api_keys set scopes = '{}' where id = $1`, 'api_key_id'],
    [
      await keyOf(customer, 'e5'),
      `update api_keys set key_hash = sha256('rotated') where id = $1`,
      'api_key_id',
    ],
    [
      await grantOf(customer),
      'update oauth_grants set revoked_at = now() where id = $1',
      'oauth_grant_id',
    ],
    [
      await grantOf(customer),
      `update oauth_grants set scopes = '{}' where id = $1`,
      'oauth_grant_id',
    ],
    [
      await sessionOf(sleeper),
      `update customers set status = 'suspended' where id = $1`,
      'customer_id',
    ],
  ] as const
  const healthy = [
    key,
    await sessionOf(customer),
    await grantOf(customer),
    { customer_id: customer },
  ]
  const before = await Promise.all(ends.map(([shown]) => place(order(shown))))
  assert.deepEqual(before, Array(ends.length).fill(placed))
  for (const [shown, text, by] of ends) await db.query(text, [shown[by]])
  const orders = [...ends.map(([shown]) => order(shown)), ...healthy.map(order)]
  const outcomes = await Promise.all(orders.map(place))
  assert.deepEqual(outcomes, [
    ...Array(ends.length).fill(ended),
    ...Array(healthy.length).fill(placed),
  ])
  const ids = orders.slice(0, ends.length).map(({ id }) => id)
  assert.deepEqual(await db.query('select id from orders where id = any ($1)', [ids]), [])
})

test('an automatic renewal of a suspended account is held, and so is what the service makes for a key', async () => {
  const customer = await newCustomer(1_000_000n)
  const { key_hash: _, ...byService } = await keyOf(customer, 'f6')
  assert.deepEqual(await place(order(byService)), placed)
  await db.query(`update customers set status = 'suspended' where id = $1`, [customer])
  const automatic = { customer_id: customer, command: { automatic: true } }
  assert.deepEqual(await place(order(automatic)), placed)
  assert.deepEqual(await place(order(byService)), ended)
})

test('an address that a limit does not allow refuses', async () => {
  const customer = await newCustomer(1_000_000n)
  const key = await keyOf(customer, '77')
  await db.query(
    `insert into access_limits (customer_id, api_key_id, allowed_ips, created_at, updated_at)
     values ($1, $2, '{192.0.2.0/24,2001:db8::/32}', now(), now())`,
    [customer, key.api_key_id],
  )
  const from = (address: string | null) => place(order({ ...key, address }))
  for (const address of ['192.0.2.7', '2001:db8:1:2::/64', null])
    assert.deepEqual(await from(address), placed)
  for (const address of ['192.0.3.7', '2001:db9::/64', '::1'])
    assert.deepEqual(await from(address), { outcome: 'limit', rule: 'address' })
})

test('its own order is placed again after its caller ended: the answer to its commit was lost', async () => {
  const customer = await newCustomer(1_000_000n)
  const first = order(await sessionOf(customer))
  assert.deepEqual(await place(first), placed)
  await db.query('update sessions set ended_at = now() where id = $1', [first.session_id])
  assert.deepEqual(await place(first), placed)
})

/** Until a statement of the service waits for the other connection, or the other way round. */
async function untilBlocked(): Promise<void> {
  const text = `select from pg_stat_activity
                 where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  while ((await db.query(text)).length === 0) await sleep(5)
}

test('a revocation that is about to be committed is waited for, and seen', async () => {
  const customer = await newCustomer(1_000_000n)
  const key = await keyOf(customer, '88')
  await other.query('begin')
  await other.query('update api_keys set revoked_at = now() where id = $1', [key.api_key_id])
  const outcome = place(order(key))
  await untilBlocked()
  await other.query('commit')
  assert.deepEqual(await outcome, ended)
})

test('a revocation that comes later waits for the hold', async () => {
  const customer = await newCustomer(1_000_000n)
  const shown = await sessionOf(customer)
  const one = order(shown)
  await other.query('begin')
  const text = 'select outcome from orders_place($1::jsonb)'
  const { rows } = await other.query(text, [JSON.stringify([{ i: 0, ...one }])])
  assert.deepEqual(rows, [{ outcome: 'placed' }])
  const end = 'update sessions set ended_at = clock_timestamp() where id = $1 returning ended_at'
  const ending = db.query(end, [shown.session_id])
  await untilBlocked()
  await other.query('commit')
  await ending
  const [held] = await db.query('select state from orders where id = $1', [one.id])
  assert.equal(held?.state, 'pending')
})
