// Renewals through a whole service: paid once, fenced, and a year that the registry added by
// auto-renewal is paid, not sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestCustomer } from '../../../../../test/support/service.ts'

const registrar = await startService()
const day = 86_400_000
let names = 0

async function purchased(buyer: TestCustomer, tld = 'com', period_years = 1): Promise<string> {
  names += 1
  const domain = `renewed-${names}.${tld}`
  const made = await registrar.request('POST', '/v1/domains', {
    token: buyer.key,
    body: { domain, period_years },
  })
  assert.equal(made.status, 200, made.text)
  assert.equal(made.body.status, 'active', made.text)
  return domain
}

function renew(buyer: TestCustomer, domain: string, body: object = {}) {
  return registrar.request('POST', `/v1/domains/${domain}/renew`, { token: buyer.key, body })
}

async function balance(buyer: TestCustomer): Promise<{ available: string; held: string }> {
  const path = `/v1/customers/${buyer.id}/billing/balance`
  const { body } = await registrar.request('GET', path, { token: buyer.key })
  return { available: body.available, held: body.held }
}

const effects = (domain: string) =>
  registrar.sandbox.effects().filter((effect) => effect.domain === domain)
const kinds = (domain: string) => effects(domain).map(({ kind }) => kind)

test('a renewal adds its years here and at the registry, and is paid once', async () => {
  const buyer = await registrar.customer({ funds_cents: 10_000 })
  const domain = await purchased(buyer)
  const before = await registrar.request('GET', `/v1/domains/${domain}`, { token: buyer.key })
  const done = await renew(buyer, domain, {
    period_years: 2,
    expected_expiry: before.body.expiry,
    max_price: '30.00',
  })
  assert.equal(done.status, 200, done.text)
  assert.equal(done.body.status, 'active')
  assert.equal(done.body.operation.type, 'renew')
  assert.equal(done.body.operation.state, 'succeeded')
  const years = new Date(done.body.expiry).getUTCFullYear()
  assert.equal(years, new Date(before.body.expiry).getUTCFullYear() + 2)
  assert.equal(done.body.expiry, registrar.sandbox.lookup(domain)?.expires_at)
  assert.deepEqual(kinds(domain), ['create', 'renew'])
  // 10.85 each: 9.59 and a tenth of it, and 0.30.
  assert.deepEqual(await balance(buyer), { available: '67.45', held: '0.00' })
})

test('refuses a repeated renewal by its fence and by its day, and replays it by its key', async () => {
  const buyer = await registrar.customer()
  const domain = await purchased(buyer)
  const { body } = await registrar.request('GET', `/v1/domains/${domain}`, { token: buyer.key })
  const fenced = { period_years: 1, expected_expiry: body.expiry }
  assert.equal((await renew(buyer, domain, fenced)).status, 200)
  const again = await renew(buyer, domain, fenced)
  assert.equal(again.status, 409, again.text)
  assert.equal(again.body.code, 'expiry_changed')
  const bare = await renew(buyer, domain)
  assert.equal(bare.status, 409, bare.text)
  assert.equal(bare.body.code, 'recently_renewed')
  assert.equal(bare.body.holding.expiry, registrar.sandbox.lookup(domain)?.expires_at)
  const withKey = () =>
    registrar.request('POST', `/v1/domains/${domain}/renew`, {
      token: buyer.key,
      body: {},
      headers: { 'idempotency-key': `renew-${domain}` },
    })
  const keyed = await withKey()
  assert.equal(keyed.status, 200, keyed.text)
  const replayed = await withKey()
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(replayed.body, keyed.body)
  assert.deepEqual(kinds(domain), ['create', 'renew', 'renew'])
})

test('twenty at once without a key: one is paid', async () => {
  const buyer = await registrar.customer()
  const domain = await purchased(buyer, 'test')
  const answers = await Promise.all(Array.from({ length: 20 }, () => renew(buyer, domain)))
  for (const answer of answers)
    assert.ok(
      answer.status === 200 || answer.body.code === 'recently_renewed',
      `${answer.status} ${answer.text}`,
    )
  assert.deepEqual(kinds(domain), ['create', 'renew'])
})

test('at most ten years ahead, and the latest allowed is shown', async () => {
  const buyer = await registrar.customer()
  const domain = await purchased(buyer, 'com', 8)
  const long = await renew(buyer, domain, { period_years: 3 })
  assert.equal(long.status, 409, long.text)
  assert.equal(long.body.code, 'term_too_long')
  assert.equal(long.body.latest.period_years, 2)
  const fits = await renew(buyer, domain, { period_years: 2 })
  assert.equal(fits.status, 200, fits.text)
})

test('a price above max_price, an empty balance and a dry run send nothing', async () => {
  const buyer = await registrar.customer({ funds_cents: 1_200 })
  const domain = await purchased(buyer)
  const expensive = await renew(buyer, domain, { max_price: '1.00' })
  assert.equal(expensive.body.code, 'price_changed', expensive.text)
  assert.equal(expensive.body.price.amount, '10.85')
  const short = await renew(buyer, domain)
  assert.equal(short.status, 402, short.text)
  const dry = await renew(buyer, domain, { dry_run: true })
  assert.equal(dry.status, 402, dry.text)
  assert.deepEqual(kinds(domain), ['create'])
  const other = await registrar.customer()
  assert.equal((await renew(other, domain)).status, 404)
})

test('a lost answer keeps the hold, and the settle job finds the year that was added', async () => {
  const buyer = await registrar.customer({ funds_cents: 5_000 })
  const domain = await purchased(buyer)
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:renew', domain, times: 1 })
  const first = await renew(buyer, domain, { period_years: 1 })
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.operation.state, 'unknown', first.text)
  const same = await renew(buyer, domain, { period_years: 1 })
  assert.ok([200, 409].includes(same.status), same.text)
  const until = Date.now() + 40_000
  let read = first
  while (read.body.operation.state === 'unknown' && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    read = await registrar.request('GET', `/v1/domains/${domain}`, { token: buyer.key })
  }
  assert.equal(read.body.operation.state, 'succeeded', read.text)
  assert.equal(read.body.expiry, registrar.sandbox.lookup(domain)?.expires_at)
  assert.deepEqual(kinds(domain), ['create', 'renew'])
  assert.deepEqual(await balance(buyer), { available: '28.30', held: '0.00' })
})

test('a key that was answered with an open order is that order’s, and buys nothing later', async () => {
  const buyer = await registrar.customer()
  const domain = await purchased(buyer, 'test')
  const keyed = (key: string) =>
    registrar.request('POST', `/v1/domains/${domain}/renew`, {
      token: buyer.key,
      body: {},
      headers: { 'idempotency-key': key },
    })
  // Silent until the test has asked again, with the years added all the same.
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:renew', domain, times: 1 })
  registrar.sandbox.setFault({ name: 'fail_2400', command: 'domain:renew', domain, times: null })
  const first = await renew(buyer, domain)
  assert.equal(first.body.operation.state, 'unknown', first.text)
  const { id } = first.body.operation
  assert.equal((await keyed('one')).body.operation.id, id)
  const other = await keyed('two')
  assert.equal(other.body.code, 'order_open', other.text)
  registrar.sandbox.clearFaults()
  const until = Date.now() + 40_000
  let state = 'unknown'
  while (state === 'unknown' && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    state = (await registrar.request('GET', `/v1/domains/${domain}`, { token: buyer.key })).body
      .operation.state
  }
  assert.equal(state, 'succeeded')
  const again = await keyed('one')
  assert.equal(again.headers.get('idempotent-replayed'), 'true', again.text)
  assert.equal(again.body.operation.id, id)
  assert.deepEqual(kinds(domain), ['create', 'renew'])
})

test('a domain that its registry auto-renewed is expired until it is paid, and the payment sends nothing', async () => {
  const buyer = await registrar.customer({ funds_cents: 10_000 })
  const domain = await purchased(buyer)
  const paid = registrar.sandbox.lookup(domain)?.expires_at
  const jump = await registrar.request('POST', '/v1/sandbox/clock', {
    token: registrar.operatorKey,
    body: { advance_ms: 370 * day },
  })
  assert.equal(jump.status, 200, jump.text)
  const late = await registrar.request('GET', `/v1/domains/${domain}`, { token: buyer.key })
  assert.equal(late.body.status, 'expired', late.text)
  assert.equal(late.body.expiry, paid)
  assert.deepEqual(late.body.rgp_statuses, ['autoRenewPeriod'])
  assert.equal(late.body.next_actions[0].type, 'renew')
  const done = await renew(buyer, domain, { expected_expiry: paid })
  assert.equal(done.status, 200, done.text)
  assert.equal(done.body.status, 'active', done.text)
  assert.equal(done.body.expiry, registrar.sandbox.lookup(domain)?.expires_at)
  assert.deepEqual(kinds(domain), ['create', 'autorenew'])
  const two = await renew(buyer, domain, { period_years: 2, expected_expiry: done.body.expiry })
  assert.equal(two.status, 200, two.text)
  assert.deepEqual(kinds(domain), ['create', 'autorenew', 'renew'])
  assert.deepEqual(await balance(buyer), { available: '56.60', held: '0.00' })
})
