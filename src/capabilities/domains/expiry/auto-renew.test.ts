// Automatic renewals: paid once, also beside other renewals; reported when they cannot be paid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import { addYears } from '../../../kit/clock.ts'
import { systemCall } from '../../audit/index.ts'
import { holdingByName } from '../holdings/holdings.sql.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { notifyOrderResults } from '../orders/notify-order-results.job.ts'
import { settleOrders } from '../orders/settle-orders.job.ts'
import { pollRegistries } from '../poll/poll-messages.job.ts'
import { autoRenew, renewAutomatically } from './auto-renew.job.ts'
import { claimAutoRenewals } from './auto-renew.sql.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { app } = registrar
let top_ups = 0

async function automatic(owner: TestCustomer, name: string, body: object = {}): Promise<string> {
  const domain = await registrar.buys(owner, name, body)
  await registrar.query('update domains set auto_renew = true where name = $1', [domain])
  return domain
}

async function topUp(owner: TestCustomer, amount_cents: number, currency = 'USD') {
  top_ups += 1
  const paid = await registrar.request('POST', '/v1/internal/billing/processor/top-ups', {
    token: registrar.operatorKey,
    body: {
      customer_id: owner.id,
      amount_cents,
      currency,
      processor_checkout_session_id: `cs_auto_${top_ups}`,
    },
  })
  assert.equal(paid.status, 200, paid.text)
}

test('uses the currency of the last payment, not of a refused one', async () => {
  const owner = await registrar.customer()
  const domain = await automatic(owner, 'auto-currency.com')
  await topUp(owner, 1_500, 'EUR')
  registrar.sandbox.setFault({ name: 'refuse_2306', command: 'domain:renew', domain })
  const body = { currency: 'EUR' }
  const options = { token: owner.key, body }
  assert.equal(
    (await registrar.request('POST', `/v1/domains/${domain}/renew`, options)).status,
    409,
  )
  await registrar.buys(owner, 'auto-spent.com', body)
  await registrar.days(355)
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
})

const kinds = async (owner: TestCustomer) => (await registrar.emails(owner)).map(({ kind }) => kind)
const later = (expiry: string) => addYears(new Date(expiry), 1).toISOString()

test('renews from the balance from 14 days before the expiry, and sends a receipt', async () => {
  const owner = await registrar.customer({ funds_cents: 3_000 })
  const domain = await automatic(owner, 'auto.com')
  const { expiry } = (await registrar.read(owner, domain)).body
  await registrar.days(350)
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create'], 'fifteen days before it is too early')
  await registrar.days(2)
  await registrar.run(autoRenew)
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  const { body } = await registrar.read(owner, domain)
  assert.equal(body.expiry, later(expiry))
  assert.equal(await registrar.balance(owner), '8.30 0.00')
  await registrar.run(notifyOrderResults)
  await registrar.run(notifyOrderResults)
  const emails = await registrar.emails(owner)
  assert.deepEqual(
    emails.map(({ subject }) => subject),
    [`The automatic renewal of ${domain} is done`],
  )
  assert.match(emails[0]?.body.replaceAll('\n', ' ') ?? '', /10\.85 USD was taken/)
  assert.ok(emails[0]?.body.includes(later(expiry).slice(0, 10)))
})

test("pays the auto-renewed year in the registry's grace period, and sends nothing", async () => {
  const owner = await registrar.customer({ funds_cents: 3_000 })
  const domain = await automatic(owner, 'auto-grace.com')
  const { expiry } = (await registrar.read(owner, domain)).body
  await registrar.days(375)
  await registrar.run(pollRegistries)
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create', 'autorenew'])
  const { body } = await registrar.read(owner, domain)
  assert.equal(body.status, 'active')
  assert.equal(body.expiry, later(expiry))
  assert.equal(body.registry_expiry, body.expiry)
  assert.equal(await registrar.balance(owner), '8.30 0.00')
})

test('a missing balance is reported once a day, and the renewal is tried again every day', async () => {
  const owner = await registrar.customer({ funds_cents: 1_500 })
  const domain = await automatic(owner, 'auto-poor.com')
  await registrar.days(355)
  await registrar.run(autoRenew)
  await registrar.run(autoRenew)
  await registrar.advance('PT20H')
  await registrar.run(autoRenew)
  assert.deepEqual(await kinds(owner), ['auto_renew_unpaid'])
  const [email] = await registrar.emails(owner)
  assert.match(email?.subject ?? '', /6\.70 USD missing/)
  await registrar.advance('PT5H')
  await registrar.run(autoRenew)
  assert.deepEqual(await kinds(owner), ['auto_renew_unpaid', 'auto_renew_unpaid'])
  assert.deepEqual(registrar.effects(domain), ['create'])
  assert.equal(await registrar.balance(owner), '4.15 0.00')
  await topUp(owner, 1_000)
  await registrar.days(1)
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  assert.equal(await registrar.balance(owner), '3.30 0.00')
  const failed = await registrar.query(
    `select error_code from audit_logs where action = 'auto_renew' and target = $1`,
    [domain],
  )
  assert.deepEqual(failed, [
    { error_code: 'insufficient_funds' },
    { error_code: 'insufficient_funds' },
  ])
})

test("renews a suspended account's domain from its balance, and reports a missing one", async () => {
  const owner = await registrar.customer({ funds_cents: 3_000 })
  const poor = await registrar.customer({ funds_cents: 1_500 })
  const domain = await automatic(owner, 'auto-suspended.com')
  const unpaid = await automatic(poor, 'auto-suspended-poor.com')
  for (const { id } of [owner, poor]) {
    const path = `/v1/internal/customers/${id}/suspend`
    const options = { token: registrar.operatorKey, body: { reason: 'For a test' } }
    assert.equal((await registrar.request('POST', path, options)).status, 200)
  }
  const byHand = { token: owner.key, body: { period_years: 1 } }
  const refused = await registrar.request('POST', `/v1/domains/${domain}/renew`, byHand)
  assert.deepEqual([refused.status, refused.body.code], [403, 'account_suspended'])
  await registrar.days(355)
  await registrar.run(autoRenew)
  await registrar.run(notifyOrderResults)
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  assert.equal(await registrar.balance(owner), '8.30 0.00')
  assert.deepEqual(await kinds(owner), ['account_suspended', 'renew_completed'])
  assert.deepEqual(registrar.effects(unpaid), ['create'])
  assert.equal(await registrar.balance(poor), '4.15 0.00')
  assert.deepEqual(await kinds(poor), ['account_suspended', 'auto_renew_unpaid'])
})

test('two workers that have both claimed a domain renew it once', async () => {
  const owner = await registrar.customer({ funds_cents: 10_000 })
  const domain = await automatic(owner, 'auto-raced.com')
  await registrar.days(360)
  await Promise.all([registrar.run(autoRenew), registrar.run(autoRenew)])
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  const second = await automatic(owner, 'auto-raced-2.com')
  await registrar.days(360)
  const holding = await app.db.one(holdingByName, { customer_id: owner.id, name: second })
  const call = systemCall(app, 'auto_renew')
  const due = { holding, currency: 'USD' } as const
  await Promise.all([1, 2, 3].map(() => renewAutomatically(app, call, due)))
  assert.deepEqual(registrar.effects(second), ['create', 'renew'])
  const orders = await registrar.query(
    `select state from orders where domain = $1 and type = 'renew'`,
    [second],
  )
  assert.deepEqual(orders, [{ state: 'succeeded' }])
  assert.ok(!(await kinds(owner)).includes('auto_renew_failed'))
})

test('an answer that is lost is settled later: one year, one receipt', async () => {
  const owner = await registrar.customer({ funds_cents: 3_000 })
  const domain = await automatic(owner, 'auto-lost.com')
  await registrar.days(360)
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:renew', domain })
  await registrar.run(autoRenew)
  await registrar.run(notifyOrderResults)
  assert.deepEqual(await kinds(owner), [])
  assert.equal(await registrar.balance(owner), '8.30 10.85')
  await registrar.run(autoRenew)
  await registrar.query(`update orders set run_at = now(), lease_until = now() where domain = $1`, [
    domain,
  ])
  await registrar.run(settleOrders)
  await registrar.run(notifyOrderResults)
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  assert.deepEqual(await kinds(owner), ['renew_completed'])
  assert.equal(await registrar.balance(owner), '8.30 0.00')
})

test('tries again within the hour while the registry is down, and sends no email', async () => {
  const owner = await registrar.customer({ funds_cents: 3_000 })
  const domain = await automatic(owner, 'auto-away.com')
  await registrar.days(360)
  registrar.sandbox.setFault({ name: 'fail_2400', command: 'domain:info', domain, times: null })
  await registrar.run(autoRenew)
  registrar.sandbox.clearFaults()
  assert.deepEqual(await kinds(owner), [])
  await registrar.advance('PT61M')
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
})

test('tries again within the hour after an error of its own, and when its process ended', async () => {
  const owner = await registrar.customer({ funds_cents: 3_000 })
  const domain = await automatic(owner, 'auto-broken.com')
  await registrar.days(360)
  await registrar.query(
    `alter table orders add constraint broken check (domain <> '${domain}' or type <> 'renew')`,
  )
  await registrar.run(autoRenew)
  await registrar.query('alter table orders drop constraint broken')
  assert.deepEqual(registrar.effects(domain), ['create'])
  await registrar.advance('PT61M')
  const now = app.calendar.now()
  const [soon_at, later_at] = [3_600_000, 86_400_000].map((ms) => new Date(now.getTime() + ms))
  assert.ok(soon_at && later_at)
  const asked = { now, soon_at, later_at, limit: 100n, registry: 'thin' }
  // As by a process that is killed right after.
  const claimed = await app.db.run(claimAutoRenewals, asked)
  assert.ok(claimed.some(({ name }) => name === domain))
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create'], 'not due at once')
  await registrar.advance('PT61M')
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  assert.deepEqual(await kinds(owner), [])
})

test('renews in euros a domain that was bought in euros', async () => {
  const owner = await registrar.customer({ funds_cents: 10_000 })
  await topUp(owner, 5_000, 'EUR')
  const domain = await automatic(owner, 'auto-euro.com', { currency: 'EUR' })
  await registrar.days(360)
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  assert.equal(await registrar.balance(owner), '100.00 0.00')
})

test('renews nothing when it is turned off, also between the claim and the attempt', async () => {
  const owner = await registrar.customer({ funds_cents: 3_000 })
  const domain = await registrar.buys(owner, 'auto-off.com')
  await registrar.days(360)
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create'])
  const holding = await app.db.one(holdingByName, { customer_id: owner.id, name: domain })
  const due = { holding: { ...holding, auto_renew: true }, currency: 'USD' } as const
  await renewAutomatically(app, systemCall(app, 'auto_renew'), due)
  assert.deepEqual(registrar.effects(domain), ['create'])
})
