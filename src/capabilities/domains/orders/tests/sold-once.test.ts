// A name is sold once, and restored once, even where the registry state would let two orders claim
// it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deleteBehind } from '../../../../../test/support/other-registrar.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await lifecycleService()

async function stateOf(domain: string) {
  const [order] = await registrar.query(
    `select state, error_code, alarm from orders where domain = $1
      order by created_at desc limit 1`,
    [domain],
  )
  return Object(order)
}

async function settle() {
  await registrar.query(
    'update orders set run_at = now(), lease_until = now() where closed_at is null',
  )
  await registrar.run(settleOrders)
}

/** Buys it for `second` as well, who asked before `first` had it and gets no answer. */
async function bothBuy(domain: string) {
  const [first, second] = [await registrar.customer(), await registrar.customer()]
  const { sandbox } = registrar
  sandbox.setFault({ name: 'slow', command: 'domain:check', domain, times: 1, delay_ms: 60_000 })
  const late = registrar.request('POST', '/v1/domains', { token: second.key, body: { domain } })
  while (sandbox.faults().length > 0) await sleep(10)
  await registrar.buys(first, domain)
  sandbox.setFault({ name: 'drop_before', command: 'domain:create', domain, times: 1 })
  sandbox.releaseDelayed()
  assert.equal((await late).body.operation.state, 'unknown', (await late).text)
  return { first, second }
}

for (const tld of ['com', 'test'])
  test(`a second buyer whose answer is lost does not get the first one's .${tld}`, async () => {
    const domain = `twice-sold.${tld}`
    const { first, second } = await bothBuy(domain)
    await settle()
    assert.equal((await stateOf(domain)).error_code, 'domain_taken')
    assert.equal((await registrar.read(first, domain)).body.status, 'active')
    assert.equal(await registrar.balance(second), '1000.00 0.00')
    assert.deepEqual(registrar.effects(domain), ['create'])
  })

for (const tld of ['com', 'test'])
  test(`two equal registrations of a .${tld} at once: one is placed, and neither reports it taken`, async () => {
    const domain = `bought-once.${tld}`
    const buyer = await registrar.customer()
    const { sandbox } = registrar
    sandbox.setFault({ name: 'slow', command: 'domain:check', domain, times: 1, delay_ms: 60_000 })
    const late = registrar.request('POST', '/v1/domains', { token: buyer.key, body: { domain } })
    while (sandbox.faults().length > 0) await sleep(10)
    await registrar.buys(buyer, domain)
    sandbox.releaseDelayed()
    const { status, body, text } = await late
    assert.deepEqual([status, body.code], [409, 'domain_already_held'], text)
    assert.equal(body.holding.status, 'active')
    assert.deepEqual(registrar.effects(domain), ['create'])
    const orders = await registrar.query('select state from orders where domain = $1', [domain])
    assert.deepEqual(orders, [{ state: 'succeeded' }], 'nothing was held or sent for the other')
  })

test('no operator can give it to the second buyer either', async () => {
  const domain = 'not-a-gift.com'
  const { first } = await bothBuy(domain)
  const [order] = await registrar.query(
    `update orders set state = 'parked', alarm = 'for a test', lease_until = now()
      where domain = $1 and closed_at is null returning id`,
    [domain],
  )
  const settled = await registrar.request(
    'POST',
    `/v1/internal/parked-orders/${order?.id}/settle`,
    {
      token: registrar.operatorKey,
      body: { force: true },
    },
  )
  assert.equal(settled.body.code, 'order_without_holding', settled.text)
  assert.equal((await registrar.read(first, domain)).body.status, 'active')
})

test('a restore that another order paid for a moment before is not paid again', async () => {
  const buyer = await registrar.customer()
  const domain = await registrar.buys(buyer, 'restored-once.com')
  await registrar.days(20)
  await deleteBehind(registrar, domain)
  await registrar.read(buyer, domain)
  const restore = () =>
    registrar.request('POST', `/v1/domains/${domain}/restore`, { token: buyer.key, body: {} })
  const { sandbox } = registrar
  sandbox.setFault({ name: 'slow', command: 'domain:check', domain, times: 1, delay_ms: 60_000 })
  const late = restore()
  while (sandbox.faults().length > 0) await sleep(10)
  assert.equal((await restore()).body.status, 'active')
  const paid = await registrar.balance(buyer)
  sandbox.setFault({ name: 'drop_before', command: 'domain:update', domain, times: 1 })
  sandbox.releaseDelayed()
  await late
  sandbox.clearFaults()
  await settle()
  assert.equal(await registrar.balance(buyer), paid)
  assert.deepEqual(registrar.effects(domain), ['create', 'restore'])
})

test('releases nothing with a clock ten minutes ahead of the registry’s', async () => {
  const buyer = await registrar.customer()
  const domain = 'ahead.com'
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain, times: 1 })
  await registrar.request('POST', '/v1/domains', { token: buyer.key, body: { domain } })
  await registrar.query(
    `update orders set first_sent_at = first_sent_at + interval '10 minutes' where domain = $1`,
    [domain],
  )
  await settle()
  const { state, alarm } = await stateOf(domain)
  assert.equal(state, 'parked')
  assert.match(alarm, /no customer holds it/)
})
