// Automatic renewals: paid once, whoever else renews; told when they cannot be paid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestCustomer } from '../../../../test/support/service.ts'
import { systemCall } from '../../audit/index.ts'
import { lifeHouse } from '../holdings/lifecycle.fixture.ts'
import { addYears } from '../holdings/lifecycle.ts'
import { tellEnds } from '../orders/notify-order-results.job.ts'
import { holdingByName } from '../orders/orders.sql.ts'
import { settleOrders } from '../orders/settle-orders.job.ts'
import { pollRegistries } from '../poll/poll-messages.job.ts'
import { autoRenew, renewByItself } from './auto-renew.job.ts'

const house = await lifeHouse()
const { app } = house
let top_ups = 0

async function automatic(owner: TestCustomer, name: string, body: object = {}): Promise<string> {
  const domain = await house.buys(owner, name, body)
  await house.query('update domains set auto_renew = true where name = $1', [domain])
  return domain
}

async function topUp(owner: TestCustomer, amount_cents: number, currency = 'USD') {
  top_ups += 1
  const paid = await house.request('POST', '/v1/internal/billing/processor/top-ups', {
    token: house.operatorKey,
    body: {
      customer_id: owner.id,
      amount_cents,
      currency,
      processor_checkout_session_id: `cs_auto_${top_ups}`,
    },
  })
  assert.equal(paid.status, 200, paid.text)
}

test('it goes by what was paid, not by what was refused', async () => {
  const owner = await house.customer()
  const domain = await automatic(owner, 'auto-currency.com')
  await topUp(owner, 1_500, 'EUR')
  house.sandbox.setFault({ name: 'refuse_2306', command: 'domain:renew', domain })
  const body = { currency: 'EUR' }
  const options = { token: owner.key, body }
  assert.equal((await house.request('POST', `/v1/domains/${domain}/renew`, options)).status, 409)
  await house.buys(owner, 'auto-spent.com', body)
  await house.days(355)
  await house.run(autoRenew)
  assert.deepEqual(house.effects(domain), ['create', 'renew'])
})

const kinds = async (owner: TestCustomer) => (await house.letters(owner)).map(({ kind }) => kind)
const later = (expiry: string) => addYears(new Date(expiry), 1).toISOString()

test('from fourteen days before it is renewed from the balance, and a receipt is sent', async () => {
  const owner = await house.customer({ funds_cents: 3_000 })
  const domain = await automatic(owner, 'auto.com')
  const { expiry } = (await house.read(owner, domain)).body
  await house.days(350)
  await house.run(autoRenew)
  assert.deepEqual(house.effects(domain), ['create'], 'fifteen days before it is too early')
  await house.days(2)
  await house.run(autoRenew)
  await house.run(autoRenew)
  assert.deepEqual(house.effects(domain), ['create', 'renew'])
  const { body } = await house.read(owner, domain)
  assert.equal(body.expiry, later(expiry))
  assert.equal(await house.balance(owner), '8.30 0.00')
  await house.run(tellEnds)
  await house.run(tellEnds)
  const letters = await house.letters(owner)
  assert.deepEqual(
    letters.map(({ subject }) => subject),
    [`The automatic renewal of ${domain} is done`],
  )
  assert.match(letters[0]?.body.replaceAll('\n', ' ') ?? '', /10\.85 USD were taken/)
  assert.ok(letters[0]?.body.includes(later(expiry).slice(0, 10)))
})

test("in the registry's grace its year is paid, and nothing is sent", async () => {
  const owner = await house.customer({ funds_cents: 3_000 })
  const domain = await automatic(owner, 'auto-grace.com')
  const { expiry } = (await house.read(owner, domain)).body
  await house.days(375)
  await house.run(pollRegistries)
  await house.run(autoRenew)
  assert.deepEqual(house.effects(domain), ['create', 'autorenew'])
  const { body } = await house.read(owner, domain)
  assert.equal(body.status, 'active')
  assert.equal(body.expiry, later(expiry))
  assert.equal(body.registry_expiry, body.expiry)
  assert.equal(await house.balance(owner), '8.30 0.00')
})

test('what the balance lacks is told once a day, and it is tried again every day', async () => {
  const owner = await house.customer({ funds_cents: 1_500 })
  const domain = await automatic(owner, 'auto-poor.com')
  await house.days(355)
  await house.run(autoRenew)
  await house.run(autoRenew)
  await house.advance('PT20H')
  await house.run(autoRenew)
  assert.deepEqual(await kinds(owner), ['auto_renew_unpaid'])
  const [letter] = await house.letters(owner)
  assert.match(letter?.subject ?? '', /6\.70 USD are missing/)
  await house.advance('PT5H')
  await house.run(autoRenew)
  assert.deepEqual(await kinds(owner), ['auto_renew_unpaid', 'auto_renew_unpaid'])
  assert.deepEqual(house.effects(domain), ['create'])
  assert.equal(await house.balance(owner), '4.15 0.00')
  await topUp(owner, 1_000)
  await house.days(1)
  await house.run(autoRenew)
  assert.deepEqual(house.effects(domain), ['create', 'renew'])
  assert.equal(await house.balance(owner), '3.30 0.00')
  const failed = await house.query(
    `select error_code from audit_logs where action = 'auto_renew' and target = $1`,
    [domain],
  )
  assert.deepEqual(failed, [
    { error_code: 'insufficient_funds' },
    { error_code: 'insufficient_funds' },
  ])
})

test('two workers renew it once, even when both hold it in their hands', async () => {
  const owner = await house.customer({ funds_cents: 10_000 })
  const domain = await automatic(owner, 'auto-raced.com')
  await house.days(360)
  await Promise.all([house.run(autoRenew), house.run(autoRenew)])
  assert.deepEqual(house.effects(domain), ['create', 'renew'])
  const second = await automatic(owner, 'auto-raced-2.com')
  await house.days(360)
  const holding = await app.db.one(holdingByName, [owner.id, second])
  const call = systemCall(app, 'auto_renew')
  const due = { holding, currency: 'USD' } as const
  await Promise.all([1, 2, 3].map(() => renewByItself(app, call, due)))
  assert.deepEqual(house.effects(second), ['create', 'renew'])
  const orders = await house.query(
    `select state from orders where domain = $1 and type = 'renew'`,
    [second],
  )
  assert.deepEqual(orders, [{ state: 'succeeded' }])
  assert.ok(!(await kinds(owner)).includes('auto_renew_failed'))
})

test('an answer that is lost is settled later: one year, one receipt', async () => {
  const owner = await house.customer({ funds_cents: 3_000 })
  const domain = await automatic(owner, 'auto-lost.com')
  await house.days(360)
  house.sandbox.setFault({ name: 'drop_after', command: 'domain:renew', domain })
  await house.run(autoRenew)
  await house.run(tellEnds)
  assert.deepEqual(await kinds(owner), [])
  assert.equal(await house.balance(owner), '8.30 10.85')
  await house.run(autoRenew)
  await house.query(`update orders set run_at = now(), lease_until = now() where domain = $1`, [
    domain,
  ])
  await house.run(settleOrders)
  await house.run(tellEnds)
  assert.deepEqual(house.effects(domain), ['create', 'renew'])
  assert.deepEqual(await kinds(owner), ['renew_completed'])
  assert.equal(await house.balance(owner), '8.30 0.00')
})

test('while the registry is away it is tried again within the hour, and nobody is told', async () => {
  const owner = await house.customer({ funds_cents: 3_000 })
  const domain = await automatic(owner, 'auto-away.com')
  await house.days(360)
  house.sandbox.setFault({ name: 'fail_2400', command: 'domain:info', domain, times: null })
  await house.run(autoRenew)
  house.sandbox.clearFaults()
  assert.deepEqual(await kinds(owner), [])
  await house.advance('PT61M')
  await house.run(autoRenew)
  assert.deepEqual(house.effects(domain), ['create', 'renew'])
})

test('what was bought in euros is renewed in euros', async () => {
  const owner = await house.customer({ funds_cents: 10_000 })
  await topUp(owner, 5_000, 'EUR')
  const domain = await automatic(owner, 'auto-euro.com', { currency: 'EUR' })
  await house.days(360)
  await house.run(autoRenew)
  assert.deepEqual(house.effects(domain), ['create', 'renew'])
  assert.equal(await house.balance(owner), '100.00 0.00')
})

test('off is off: also when it is turned off between the look and the try', async () => {
  const owner = await house.customer({ funds_cents: 3_000 })
  const domain = await house.buys(owner, 'auto-off.com')
  await house.days(360)
  await house.run(autoRenew)
  assert.deepEqual(house.effects(domain), ['create'])
  const holding = await app.db.one(holdingByName, [owner.id, domain])
  const due = { holding: { ...holding, auto_renew: true }, currency: 'USD' } as const
  await renewByItself(app, systemCall(app, 'auto_renew'), due)
  assert.deepEqual(house.effects(domain), ['create'])
})
