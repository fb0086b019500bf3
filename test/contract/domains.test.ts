// A purchase and the steps before it: nothing is sent, and nothing paid, too early.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cents,
  decimal,
  type Entry,
  registering,
  startBuyerService,
} from './support/buyer-service.ts'
import { balanceOf, fresh, must } from './support/fixture.ts'
import { assertProblem } from './support/problem.ts'

const service = await startBuyerService()
const { buy, buyer, checkOne, customer, read, received, refused, request, sandbox } = service
const pages = `${service.url.replace('127.0.0.1', 'localhost')}/dashboard`

test('requires confirmation of the price of a premium name', async () => {
  const domain = 'diamond.com'
  const body = await refused('409 premium_not_allowed', () => buy({ domain }))
  const price = (await checkOne(domain)).price
  assert.deepEqual(body.price, price)
  assert.equal(body.next_action.type, 'confirm_price')
  const yes = { domain, allow_premium: true, max_price: price?.amount }
  assert.equal((await must(buy(yes))).body.price.amount, price?.amount)
})

test('max_price binds to the cent', async () => {
  const domain = `${fresh()}.com`
  const { price } = await checkOne(domain)
  const short = decimal(cents(price?.amount) - 1)
  const body = await refused('409 price_changed', () => buy({ domain, max_price: short }))
  assert.deepEqual(body.price, price)
  assert.equal((await buy({ domain, max_price: price?.amount })).status, 200)
})

test('a dry run checks everything and does nothing', async () => {
  const domain = `${fresh()}.com`
  const before = [
    await balanceOf(service, buyer.id),
    received('domain:create'),
    sandbox.effects().length,
  ]
  const { body } = await must(
    buy({ domain, dry_run: true }, buyer.key, { 'idempotency-key': fresh('dry') }),
  )
  assert.deepEqual([body.dry_run, body.operation, body.expiry], [true, null, null])
  assert.deepEqual(
    [await balanceOf(service, buyer.id), received('domain:create'), sandbox.effects().length],
    before,
  )
  assert.equal((await read(domain)).status, 404)
  const poor = await customer({ funds_cents: 0 })
  await refused('402 insufficient_funds', () => buy({ domain, dry_run: true }, poor.key), poor)
})

test('too little money is 402 with the figures', async () => {
  const poor = await customer({ funds_cents: 500 })
  const domain = `${fresh()}.com`
  const price = (await checkOne(domain)).price
  const body = await refused('402 insufficient_funds', () => buy({ domain }, poor.key), poor)
  const shortfall = decimal(cents(price?.amount) - 500)
  assert.deepEqual([body.price, body.balance, body.shortfall], [price, '5.00', shortfall])
  assert.equal(body.next_action.type, 'add_funds')
  assert.equal(body.next_action.url, `${pages}/billing/top-up?currency=USD&shortfall=${shortfall}`)
  assert.deepEqual(body.other_balances, [], 'no money in another currency')
})

test('money in another currency does not count', async () => {
  const domain = `${fresh()}.com`
  const body = await refused('402 insufficient_funds', () => buy({ domain, currency: 'EUR' }))
  assert.deepEqual([body.price.currency, body.balance], ['EUR', '0.00'])
  const lead = `${pages}/billing/top-up?currency=EUR&shortfall=${body.price.amount}`
  assert.equal(body.next_action.url, lead)
  const [{ currency, available }, ...more] = body.other_balances
  assert.deepEqual([currency, more], ['USD', []])
  assert.match(body.detail, new RegExp(`also has ${available} USD: "currency" chooses`))
})

test('a domain needs a registrant', async () => {
  const bare = await customer({ contact: false })
  const wanted = { domain: `${fresh()}.io` }
  const body = await refused('409 registrant_required', () => buy(wanted, bare.key), bare)
  assert.equal(body.next_action.url, `${pages}/contacts`)
})

test('without a token the next step is the page where the owner makes a key', async () => {
  for (const token of [undefined, `ar_test_${'x'.repeat(40)}`]) {
    const answer = await request('GET', '/v1/domains', { ...(token && { token }) })
    assert.equal(answer.status, 401)
    assert.equal(answer.body.next_action.url, `${pages}/api-keys`)
  }
})

test("contacts are one's own, by id and by handle", async () => {
  const other = await customer()
  for (const contact of [other.contact_id, 'ABSENT-99', 2 ** 40]) {
    const answer = await buy({ domain: `${fresh()}.io`, contact })
    assert.equal(answer.status, 422, answer.text)
    assert.deepEqual(answer.body.detail[0].loc, ['body', 'contact'])
  }
  const contacts = { registrant: other.contact_id }
  assert.equal((await buy({ domain: `${fresh()}.io`, contacts })).status, 422)
})

test('a name that is taken, reserved or not sold is 409', async () => {
  await refused('409 domain_taken', () => buy({ domain: 'google.com' }))
  await refused('409 domain_taken', () => buy({ domain: 'nic.com' }))
  await refused('409 domain_not_supported', () => buy({ domain: 'name.nosuchtld' }))
})

test('a registry that cannot be asked is 503 with Retry-After, and nothing is ordered', async () => {
  const domain = `${fresh()}.com`
  sandbox.setFault({ name: 'drop_before', command: 'domain:check', times: null })
  await refused('503 registry_unreachable', () => buy({ domain }))
  sandbox.clearFaults()
  assert.equal((await read(domain)).status, 404)
})

test('is shown to its buyer alone: for all others it does not exist', async () => {
  const domain = `${fresh()}.com`
  await must(buy({ domain }))
  const other = await customer()
  const answer = await read(domain, other.key)
  assertProblem(answer, '404 domain_not_found', 'GET /v1/domains/{domain}')
  assertProblem(await buy({ domain }), '409 domain_already_held', registering)
  assertProblem(await buy({ domain }, other.key), '409 domain_taken', registering)
  assert.deepEqual((await request('GET', '/v1/domains', { token: other.key })).body.domains, [])
})

test('keeps its contact from being deleted', async () => {
  const domain = `${fresh()}.io`
  const owner = await customer()
  await must(buy({ domain }, owner.key))
  const path = `/v1/customers/${owner.id}/contacts/${owner.contact_id}`
  const answer = await request('DELETE', path, { token: owner.key })
  assertProblem(
    answer,
    '409 contact_in_use',
    'DELETE /v1/customers/{customer_id}/contacts/{contact_id}',
  )
  assert.equal((await request('GET', path, { token: owner.key })).status, 200)
})

test('is listed by pages without a gap', async () => {
  const owner = await customer()
  const names = Array.from({ length: 5 }, () => `${fresh('page')}.com`).sort()
  await Promise.all(names.map((domain) => must(buy({ domain }, owner.key))))
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/v1/domains?limit=2${cursor && `&cursor=${cursor}`}`
    const { body } = await must(request('GET', path, { token: owner.key }))
    seen.push(...body.domains.map((one: Entry) => one.domain))
    cursor = body.next_cursor
  }
  assert.deepEqual(seen, names)
})

test('an IDN is bought by any of its spellings and held once', async () => {
  const { body } = await must(buy({ domain: 'Köln-Agent.com' }))
  assert.deepEqual([body.domain, body.domain_unicode], ['xn--kln-agent-07a.com', 'köln-agent.com'])
  assert.equal(sandbox.lookup('xn--kln-agent-07a.com')?.sponsor, 'registrar-a')
  assert.equal((await must(read('KÖLN-agent.com'))).body.domain, body.domain)
})
