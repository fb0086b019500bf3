// False dates of a reseller's API, and a "done" that cannot be read back yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FALSE_EXPIRIES } from '../../../../../sandbox/registry/index.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await lifecycleService()
const { sandbox } = registrar
const { openprovider } = sandbox
const buyer = await registrar.customer({ funds_cents: 1_000_000 })

async function orderOf(domain: string, type: string) {
  const [row] = await registrar.query('select * from orders where domain = $1 and type = $2', [
    domain,
    type,
  ])
  return Object(row)
}
async function settle(): Promise<void> {
  await registrar.query('update orders set run_at = now() where closed_at is null')
  await registrar.run(settleOrders)
}
const paidUntil = async (domain: string) => {
  const [row] = await registrar.query('select expiry from domains where name = $1', [domain])
  return Object(row).expiry
}
const expiryThere = (domain: string) => new Date(Object(openprovider.lookup(domain)).expires_at)
const near = (a: Date, b: Date) => Math.abs(a.getTime() - b.getTime()) < 2_000

for (const fault of FALSE_EXPIRIES)
  test(`a reseller that answers a registration with ${fault} is read back`, async () => {
    const domain = `resold-${fault.replaceAll('_', '-')}.shop`
    openprovider.setFault({ name: fault, command: 'domain:create', domain })
    const options = { token: buyer.key, body: { domain } }
    const answer = await registrar.request('POST', '/v1/domains', options)
    assert.equal(answer.status, 200, answer.text)
    await settle()
    assert.equal((await orderOf(domain, 'register')).state, 'succeeded')
    assert.ok(near(await paidUntil(domain), expiryThere(domain)))
  })

test('a reseller that shows another expiry forever: the renewal is parked, not captured', async () => {
  const domain = await registrar.buys(buyer, 'resold-parked.shop')
  const before = await paidUntil(domain)
  // Two readings come before the request itself, and are true.
  for (const _ of [1, 2])
    openprovider.setFault({ name: 'slow', command: 'domain:info', domain, delay_ms: 1 })
  openprovider.setFault({ name: 'date_plus_2', command: 'domain:info', domain, times: null })
  const path = `/v1/domains/${domain}/renew`
  await registrar.request('POST', path, { token: buyer.key, body: {} })
  await settle()
  openprovider.clearFaults()
  const { state, alarm } = await orderOf(domain, 'renew')
  assert.equal(state, 'parked')
  assert.ok(alarm)
  assert.deepEqual(await paidUntil(domain), before)
})

test('"done" with a false date, and no reading: an alarm, not sent again, and ended by a reading', async () => {
  const domain = await registrar.buys(buyer, 'unverified.com')
  sandbox.setFault({ name: 'slow', command: 'domain:info', domain, delay_ms: 1 })
  sandbox.setFault({ name: 'date_now', command: 'domain:renew', domain })
  sandbox.setFault({ name: 'fail_2400', command: 'domain:info', domain, times: null })
  const path = `/v1/domains/${domain}/renew`
  const answer = await registrar.request('POST', path, { token: buyer.key, body: {} })
  assert.equal(answer.status, 200, answer.text)
  await settle()
  const { state, error_code, alarm, attempts } = await orderOf(domain, 'renew')
  assert.deepEqual([state, error_code, attempts], ['accepted', 'term_unverified', 1])
  assert.ok(alarm)
  sandbox.clearFaults()
  await settle()
  assert.equal((await orderOf(domain, 'renew')).state, 'succeeded')
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  assert.equal((await paidUntil(domain)).toISOString(), sandbox.lookup(domain)?.expires_at)
})
