// Notices of the end of a term: each once, in its window, with mail and audit row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { syncDomains } from '../holdings/sync-domains.job.ts'
import { movePaidUntil } from '../orders/order-batcher.fixture.ts'
import { sendNotices, windowOf } from './expiry-notices.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))

const notices = async (to: TestCustomer) =>
  (await registrar.emails(to)).filter(({ kind }) => kind === 'expiry_notice')
const subjects = async (to: TestCustomer) => (await notices(to)).map(({ subject }) => subject)
const audited = async (domain: string) =>
  (
    await registrar.query(
      `select metadata->>'kind' as kind from audit_logs
        where action = 'expiry_notice' and target = $1 order by id`,
      [domain],
    )
  ).map(({ kind }) => kind)

test('sends each notice once: 30 and 7 days before the expiry and 3 days after', async () => {
  const owner = await registrar.customer()
  const domain = await registrar.buys(owner, 'noticed.com')
  const expiry: string = (await registrar.read(owner, domain)).body.expiry
  const day = expiry.slice(0, 10)
  await registrar.daysPast(domain, -31)
  await registrar.run(sendNotices)
  assert.deepEqual(await notices(owner), [], '31 days before it is too early')
  await registrar.days(2)
  await Promise.all([registrar.run(sendNotices), registrar.run(sendNotices)])
  await registrar.run(sendNotices)
  assert.deepEqual(await subjects(owner), [`${domain} expires on ${day}`])
  const [first] = await notices(owner)
  const text = first?.body.replaceAll('\n', ' ') ?? ''
  assert.match(text, /One more year costs 10\.85 USD today/)
  assert.match(text, /"expected_expiry": "2/)
  assert.match(text, /can be restored for 44\.30 USD until about/)
  const deleted = new Date(Date.parse(expiry) + 35 * 86_400_000).toISOString().slice(0, 10)
  assert.ok(text.includes(`renewed until ${deleted}, when it is deleted`), text)
  assert.match(text, /\/dashboard\/domains\/noticed\.com(?![^\s])/)
  await registrar.days(23)
  await registrar.run(sendNotices)
  await registrar.days(8)
  await registrar.run(sendNotices)
  assert.equal((await notices(owner)).length, 2, 'two days after it is too early')
  await registrar.days(2)
  await registrar.run(sendNotices)
  assert.deepEqual(await subjects(owner), [
    `${domain} expires on ${day}`,
    `${domain} expires on ${day}`,
    `${domain} expired on ${day}`,
  ])
  assert.deepEqual(await audited(domain), ['expires_in_30_days', 'expires_in_7_days', 'expired'])
})

test('without the money they name the missing amount, 30, 14, 7 days and a day before', async () => {
  const owner = await registrar.customer({ funds_cents: 3 * 1_085 + 500 })
  const domain = await registrar.buys(owner, 'no-money.com')
  const earlier = await registrar.buys(owner, 'no-money-before.com')
  await registrar.query('update domains set auto_renew = true where name = $1', [earlier])
  await movePaidUntil(registrar.query, earlier, `expiry - interval '100 days'`)
  const unrelated = await registrar.buys(owner, 'no-money-let-go.com')
  await movePaidUntil(registrar.query, unrelated, `expiry - interval '100 days'`)
  for (const days of [-29, -13, -6, -0.5]) {
    await registrar.daysPast(domain, days)
    await Promise.all([registrar.run(sendNotices), registrar.run(sendNotices)])
  }
  assert.deepEqual(await audited(domain), [
    ...['expires_in_30_days', 'expires_in_14_days', 'expires_in_7_days', 'expires_in_1_day'],
  ])
  const own = (await notices(owner)).filter(({ subject }) => subject.startsWith(`${domain} `))
  assert.equal(own.length, 4)
  for (const { body } of own) {
    const text = body.replaceAll('\n', ' ')
    assert.match(text, /Your balance does not cover it: 16\.70 USD is missing/)
    assert.match(text, /You have 5\.00 USD; this renewal, .* take 21\.70 USD/)
  }
})

test('with the money, or with automatic renewal, none is sent 14 days and a day before', async () => {
  const owner = await registrar.customer({ funds_cents: 2_500 })
  const domain = await registrar.buys(owner, 'has-money.com')
  const poor = await registrar.customer({ funds_cents: 1_100 })
  const automatic = await registrar.buys(poor, 'reported-daily.com')
  await registrar.query('update domains set auto_renew = true where name = $1', [automatic])
  for (const days of [-29, -13, -6, -0.5]) {
    await registrar.daysPast(domain, days)
    await registrar.run(sendNotices)
  }
  assert.deepEqual(await audited(domain), ['expires_in_30_days', 'expires_in_7_days'])
  assert.deepEqual(await audited(automatic), ['expires_in_30_days', 'expires_in_7_days'])
  for (const { body } of await notices(owner)) assert.doesNotMatch(body, /missing/)
  for (const { body } of await notices(poor)) assert.match(body, /10\.70 USD is missing/)
})

test('after a jump only the notice that is due now is sent', async () => {
  const owner = await registrar.customer()
  const domain = await registrar.buys(owner, 'jumped-over.com')
  await registrar.daysPast(domain, -3)
  await registrar.run(sendNotices)
  assert.deepEqual(await audited(domain), ['expires_in_7_days'])
  const other = await registrar.buys(owner, 'jumped-far.com')
  await registrar.daysPast(other, 36)
  await registrar.run(sendNotices)
  assert.deepEqual(await audited(other), [])
})

test('a term that was renewed has notices of its own', async () => {
  const owner = await registrar.customer()
  const domain = await registrar.buys(owner, 'second-term.com')
  await registrar.daysPast(domain, -25)
  await registrar.run(sendNotices)
  const path = `/v1/domains/${domain}/renew`
  const renewed = await registrar.request('POST', path, { token: owner.key, body: {} })
  assert.equal(renewed.status, 200, renewed.text)
  await registrar.days(20)
  await registrar.run(sendNotices)
  assert.deepEqual(await audited(domain), ['expires_in_30_days'])
  await registrar.daysPast(domain, -25)
  await registrar.run(sendNotices)
  assert.deepEqual(await audited(domain), ['expires_in_30_days', 'expires_in_30_days'])
})

test('with automatic renewal they say that it will be renewed, and from which balance', async () => {
  const owner = await registrar.customer()
  const domain = await registrar.buys(owner, 'by-itself.com')
  await registrar.query('update domains set auto_renew = true where name = $1', [domain])
  await registrar.days(340)
  await registrar.run(sendNotices)
  const [notice] = await notices(owner)
  assert.match(
    notice?.body.replaceAll('\n', ' ') ?? '',
    /it will be renewed for one year from your USD balance, from \d{4}-\d\d-\d\d on/,
  )
})

test('are sent while the registry is silent, and say how to read the price', async () => {
  const owner = await registrar.customer()
  await registrar.buys(owner, 'no-price.com')
  await registrar.days(340)
  registrar.sandbox.setFault({ name: 'fail_2400', command: 'domain:check', times: null })
  await registrar.run(sendNotices)
  registrar.sandbox.clearFaults()
  const [notice] = await notices(owner)
  const text = notice?.body.replaceAll('\n', ' ') ?? ''
  assert.match(text, /no-price\.com\/renew with "dry_run": true/)
  assert.match(text, /at a higher price/)
})

test('are not sent for a domain that is deleted, transferred or gone', async () => {
  const owner = await registrar.customer()
  const domain = await registrar.buys(owner, 'past-saving.com')
  await registrar.days(370)
  await registrar.query(`update domains set rgp_statuses = '{redemptionPeriod}' where name = $1`, [
    domain,
  ])
  await registrar.run(sendNotices)
  assert.deepEqual(await notices(owner), [])
  await registrar.makeDue(domain)
  await registrar.run(syncDomains)
  await registrar.run(sendNotices)
  assert.deepEqual(await audited(domain), ['expired'])
})

test('the windows touch and do not overlap', () => {
  const facts = { now: new Date('2028-02-29T00:00:00Z'), delete_days: 35 }
  const month = windowOf('expires_in_30_days', facts)
  const week = windowOf('expires_in_7_days', facts)
  const past = windowOf('expired', facts)
  const fortnight = windowOf('expires_in_14_days', facts)
  const last = windowOf('expires_in_1_day', facts)
  assert.equal(month.after.getTime(), fortnight.until.getTime())
  assert.equal(fortnight.after.getTime(), week.until.getTime())
  assert.equal(week.after.getTime(), last.until.getTime())
  assert.equal(last.after.getTime(), facts.now.getTime())
  assert.equal(past.until.toISOString(), '2028-02-26T00:00:00.000Z')
  assert.equal(past.after.toISOString(), '2028-01-25T00:00:00.000Z')
})
