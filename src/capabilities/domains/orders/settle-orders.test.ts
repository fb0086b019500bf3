// An order that cannot be continued is reported to operators.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { settleOrders } from './settle-orders.job.ts'

const registrar = await lifecycleService()
/** Others that are open, which other files left, are not due for a minute. */
const due = (domain: string) =>
  registrar.query(
    `update orders set run_at = now() + case when domain = $1 then interval '0' else '1 min' end,
                       lease_until = now() where closed_at is null`,
    [domain],
  )
const orderOf = async (domain: string) =>
  Object((await registrar.query('select * from orders where domain = $1', [domain]))[0])

test('an old order that cannot be leased raises an alarm until it can', async () => {
  const buyer = await registrar.customer()
  const domain = 'poison.com'
  registrar.sandbox.setFault({ name: 'drop_before', command: 'domain:create', domain })
  const body = { domain }
  await registrar.request('POST', '/v1/domains', { token: buyer.key, body })
  await registrar.query(`update orders set registry = 'gone' where domain = $1`, [domain])
  await due(domain)
  await registrar.run(settleOrders)
  const young = await orderOf(domain)
  assert.deepEqual([young.closed_at, young.alarm], [null, null])
  await registrar.query(
    `update orders set created_at = now() - interval '1 hour' where domain = $1`,
    [domain],
  )
  await due(domain)
  await registrar.run(settleOrders)
  const { id, alarm } = await orderOf(domain)
  assert.match(alarm, /^not_settled: .*gone/)
  assert.ok(registrar.logs.some((line) => line.includes('not_settled') && line.includes(id)))
  const path = '/v1/internal/parked-orders?alarm=true'
  const parked = await registrar.request('GET', path, { token: registrar.operatorKey })
  assert.ok(parked.text.includes(id))
  await registrar.query(`update orders set registry = 'thin' where domain = $1`, [domain])
  await due(domain)
  await registrar.run(settleOrders)
  assert.equal((await orderOf(domain)).state, 'succeeded')
})

test('only the lease holder of an order writes its alarm', async () => {
  const buyer = await registrar.customer()
  const domain = 'poison-held.com'
  registrar.sandbox.setFault({ name: 'drop_before', command: 'domain:create', domain })
  const body = { domain }
  await registrar.request('POST', '/v1/domains', { token: buyer.key, body })
  await registrar.query(
    `update orders set created_at = now() - interval '1 hour' where domain = $1`,
    [domain],
  )
  // Another worker takes it over meanwhile.
  await registrar.query(`create function steal() returns trigger language plpgsql as
    'begin if cardinality(new.fingerprints) > cardinality(old.fingerprints) then
       new.lease_token = ''another''; end if; return new; end'`)
  await registrar.query(`create trigger steal before update on orders
    for each row execute function steal()`)
  const reached = (point: string) => {
    if (point === 'recovering') throw new Error('died')
  }
  // The purchase's own round may end after its response, and write its lease again; and the
  // registry may be left alone for some seconds after the dropped connection.
  for (let rounds = 0; rounds < 100; rounds += 1) {
    await due(domain)
    await registrar.run(settleOrders, { ...registrar.app, reached })
    if ((await orderOf(domain)).lease_token === 'another') break
    await sleep(100)
  }
  await registrar.query('drop trigger steal on orders')
  const { alarm, lease_token } = await orderOf(domain)
  assert.deepEqual([alarm, lease_token], [null, 'another'])
})
