// An order that cannot be gone on with is seen by operators.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lifeHouse } from '../holdings/lifecycle.fixture.ts'
import { settleOrders } from './settle-orders.job.ts'

const house = await lifeHouse()
const due = () =>
  house.query('update orders set run_at = now(), lease_until = now() where closed_at is null')
const orderOf = async (domain: string) =>
  Object((await house.query('select * from orders where domain = $1', [domain]))[0])

test('an order that cannot even be taken up rings, once it is old, until it can', async () => {
  const buyer = await house.customer()
  const domain = 'poison.com'
  house.sandbox.setFault({ name: 'drop_before', command: 'domain:create', domain })
  const body = { domain }
  await house.request('POST', '/v1/domains', { token: buyer.key, body })
  await house.query(`update orders set registry = 'gone' where domain = $1`, [domain])
  await due()
  await house.run(settleOrders)
  const young = await orderOf(domain)
  assert.deepEqual([young.closed_at, young.alarm], [null, null])
  await house.query(`update orders set created_at = now() - interval '1 hour' where domain = $1`, [
    domain,
  ])
  await due()
  await house.run(settleOrders)
  const { id, alarm } = await orderOf(domain)
  assert.match(alarm, /^not_settled: .*gone/)
  assert.ok(house.logs.some((line) => line.includes('not_settled') && line.includes(id)))
  const path = '/v1/internal/parked-orders?alarm=true'
  const parked = await house.request('GET', path, { token: house.operatorKey })
  assert.ok(parked.text.includes(id))
  await house.query(`update orders set registry = 'thin' where domain = $1`, [domain])
  await due()
  await house.run(settleOrders)
  assert.equal((await orderOf(domain)).state, 'succeeded')
})

test('an alarm is written only by who holds the order', async () => {
  const buyer = await house.customer()
  const domain = 'poison-held.com'
  house.sandbox.setFault({ name: 'drop_before', command: 'domain:create', domain })
  const body = { domain }
  await house.request('POST', '/v1/domains', { token: buyer.key, body })
  await house.query(`update orders set created_at = now() - interval '1 hour' where domain = $1`, [
    domain,
  ])
  await due()
  // Somebody else takes it over while this one works on it.
  await house.query(`create function steal() returns trigger language plpgsql as
    'begin if cardinality(new.fingerprints) > cardinality(old.fingerprints) then
       new.lease_token = ''another''; end if; return new; end'`)
  await house.query(`create trigger steal before update on orders
    for each row execute function steal()`)
  const reached = (point: string) => {
    if (point === 'recovering') throw new Error('died')
  }
  await house.run(settleOrders, { ...house.app, reached })
  await house.query('drop trigger steal on orders')
  const { alarm, lease_token } = await orderOf(domain)
  assert.deepEqual([alarm, lease_token], [null, 'another'])
})
