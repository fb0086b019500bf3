// Paying once (decision 18): repeats, races and a silent registry.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import type { TestCustomer } from '../support/service.ts'
import { cents, decimal, registering, startBuyerService } from './support/buyer-service.ts'
import { balanceOf, fresh, must, until } from './support/fixture.ts'
import { assertInvalid, assertProblem } from './support/problem.ts'

const service = await startBuyerService()
const { buy, checkOne, customer, operatorKey, read, request, sandbox } = service
const keyed = (key: string) => ({ 'idempotency-key': key })
const aName = () => `${fresh('pay')}.com`
const price = cents((await checkOne(aName())).price?.amount)

const creates = (domain: string) => sandbox.effects().filter((one) => one.domain === domain).length
const isActive = (domain: string, who: TestCustomer) => async () =>
  (await read(domain, who.key)).body.status === 'active'

type Entry = { type: string; amount: string; domain: string; operation_id: string }
/** The customer's transactions for a domain, oldest first. */
async function moves(who: TestCustomer, domain: string): Promise<string[]> {
  const path = `/v1/customers/${who.id}/billing/transactions?limit=500`
  const { body } = await must(request('GET', path, { token: who.key }))
  const entries: Entry[] = body.transactions
  return entries
    .filter((entry) => entry.domain === domain)
    .map(({ type, amount }) => `${type} ${amount}`)
    .reverse()
}
const paid = [`hold -${decimal(price)}`, `capture -${decimal(price)}`]

test('the same key and request again is the same answer, whatever the time of asking', async () => {
  const who = await customer()
  const domain = aName()
  const first = await must(buy({ domain }, who.key, keyed('k-1')))
  assert.equal(first.headers.get('idempotent-replayed'), null)
  const again = await Promise.all([1, 2, 3].map(() => buy({ domain }, who.key, keyed('k-1'))))
  for (const answer of again) {
    assert.equal(answer.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual([answer.status, answer.body], [200, first.body])
  }
  const spaced = { period_years: 1, domain, allow_premium: false, currency: 'USD' }
  const same = await must(buy(spaced, who.key, keyed('k-1')))
  assert.deepEqual(same.body, first.body, 'defaults that are spelled out are the same request')
  assert.deepEqual(await moves(who, domain), paid)
})

test('an answer that another version stored with other fields is read from the order', async () => {
  const [who, domain] = [await customer(), aName()]
  const first = await must(buy({ domain }, who.key, keyed('k-version')))
  const client = new pg.Client({ connectionString: service.service.settings.database_url ?? '' })
  await client.connect()
  after(() => client.end())
  for (const stored of [`answer #- '{status,locked}'`, `'{"status": {"of": "later"}}'`]) {
    await client.query(`update idempotency_keys set answer = ${stored} where customer_id = $1`, [
      who.id,
    ])
    const again = await must(buy({ domain }, who.key, keyed('k-version')))
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const { price: _price, ...shown } = first.body
    const { price: _none, ...replayed } = again.body
    assert.deepEqual(replayed, shown)
  }
  assert.deepEqual(await moves(who, domain), paid)
})

test('the same key with another request is 422, and changes nothing', async () => {
  const who = await customer()
  await must(buy({ domain: aName() }, who.key, keyed('k-2')))
  const balance = await balanceOf(service, who.id)
  assertInvalid(await buy({ domain: aName() }, who.key, keyed('k-2')), [
    'header.idempotency_key idempotency_key_mismatch',
  ])
  assert.deepEqual(await balanceOf(service, who.id), balance)
})

test("a key is its customer's own", async () => {
  const [one, other] = await Promise.all([customer(), customer()])
  const [a, b] = await Promise.all(
    [one, other].map((who) => must(buy({ domain: aName() }, who.key, keyed('shared')))),
  )
  assert.notEqual(a?.body.operation.id, b?.body.operation.id)
  assert.equal(b?.headers.get('idempotent-replayed'), null)
})

test('twenty at once with one key make one order; each gets its answer or is asked to wait', async () => {
  const who = await customer()
  const domain = aName()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => buy({ domain }, who.key, keyed('k-20'))),
  )
  for (const answer of answers)
    if (answer.status !== 200) assertProblem(answer, '409 idempotency_key_in_use', registering)
  const orders = new Set(answers.flatMap(({ body }) => body.operation?.id ?? []))
  assert.deepEqual([orders.size, creates(domain)], [1, 1])
  const last = await must(buy({ domain }, who.key, keyed('k-20')))
  assert.equal(last.body.status, 'active')
  assert.deepEqual(await moves(who, domain), paid)
})

test('402 is not kept for a key: after a top-up the same request buys', async () => {
  const who = await customer({ funds_cents: 100 })
  const domain = aName()
  for (const _ of [1, 2])
    assertProblem(await buy({ domain }, who.key, keyed('k-402')), '402 insufficient_funds')
  const body = {
    customer_id: who.id,
    amount_cents: price,
    currency: 'USD',
    processor_checkout_session_id: fresh('cs'),
  }
  const top = '/v1/internal/billing/processor/top-ups'
  await must(request('POST', top, { token: operatorKey, body }))
  const bought = await must(buy({ domain }, who.key, keyed('k-402')))
  assert.deepEqual(
    [bought.body.status, bought.headers.get('idempotent-replayed')],
    ['active', null],
  )
})

test("a registry's refusal is final: released at once, kept for its key, and reported as failed", async () => {
  const who = await customer()
  const domain = aName()
  const before = await balanceOf(service, who.id)
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:create', domain })
  const refusal = await buy({ domain }, who.key, keyed('k-no'))
  assertProblem(refusal, '409 registry_refused', registering)
  assert.equal(refusal.body.charged, false)
  const again = await buy({ domain }, who.key, keyed('k-no'))
  assertProblem(again, '409 registry_refused', registering)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await balanceOf(service, who.id), before)
  assert.deepEqual(await moves(who, domain), [
    `hold -${decimal(price)}`,
    `release ${decimal(price)}`,
  ])
  const { body } = await must(read(domain, who.key))
  assert.deepEqual([body.status, body.operation.state, body.expiry], ['failed', 'failed', null])
  assert.equal(
    (await must(buy({ domain }, who.key))).body.status,
    'active',
    'with no key it is free',
  )
})

test('without a key, the open order answers the same request, and refuses another', async () => {
  const who = await customer()
  const domain = aName()
  sandbox.setFault({ name: 'drop_before', command: 'domain:create', domain, times: null })
  const first = await must(buy({ domain }, who.key))
  assert.deepEqual([first.body.status, first.body.operation.state], ['pending', 'unknown'])
  const same = await must(buy({ domain }, who.key))
  assert.equal(same.body.operation.id, first.body.operation.id)
  const other = await buy({ domain, period_years: 2 }, who.key)
  assertProblem(other, '409 order_open', registering)
  assert.equal(other.body.operation.id, first.body.operation.id)
  const otherCustomer = await customer()
  assertProblem(await buy({ domain }, otherCustomer.key), '409 domain_taken', registering)
  assert.equal((await balanceOf(service, otherCustomer.id)).held, '0.00')
  sandbox.clearFaults()
  await until(isActive(domain, who))
  assert.equal(creates(domain), 1)
  assert.deepEqual(await moves(who, domain), paid)
})

test('silence is not failure: the hold stays, and the job finishes what the registry did', async () => {
  const who = await customer()
  const domain = aName()
  const before = cents((await balanceOf(service, who.id)).available)
  sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain })
  const { body } = await must(buy({ domain }, who.key, keyed('k-silent')))
  assert.deepEqual([body.status, body.operation.state, body.expiry], ['pending', 'unknown', null])
  assert.equal(body.next_actions[0].type, 'read_back')
  const listed = await must(request('GET', '/v1/domains', { token: who.key }))
  assert.deepEqual(
    [listed.body.domains[0].domain, listed.body.domains[0].expires_at],
    [domain, null],
  )
  await until(isActive(domain, who))
  const after = await balanceOf(service, who.id)
  assert.deepEqual([after.available, after.held], [decimal(before - price), '0.00'])
  assert.equal(creates(domain), 1, 'one effect at the registry')
  assert.deepEqual(await moves(who, domain), paid, 'one capture')
  const order = await must(
    request('GET', `/v1/operations/${body.operation.id}`, { token: who.key }),
  )
  assert.deepEqual([order.body.state, order.body.amount], ['succeeded', decimal(price)])
  const held = await must(read(domain, who.key))
  const registry = sandbox.lookup(domain)
  assert.equal(Date.parse(held.body.expiry), Date.parse(registry?.expires_at ?? ''))
})

test('two at once with money for one: one buys, the other gets the shortfall', async () => {
  const who = await customer({ funds_cents: price + 1 })
  const answers = await Promise.all([aName(), aName()].map((domain) => buy({ domain }, who.key)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 402])
  const poor = answers.find(({ status }) => status === 402)
  assert.equal(poor?.body.shortfall, decimal(price - 1))
  assert.deepEqual(await balanceOf(service, who.id), {
    available: '0.01',
    held: '0.00',
    total: '0.01',
  })
})

test('thirty orders of one name by ten customers: one pays, and no other balance changes', async () => {
  const buyers = await Promise.all(Array.from({ length: 10 }, () => customer()))
  const domain = aName()
  const tries = [...buyers, ...buyers, ...buyers]
  const answers = await Promise.all(tries.map(({ key }) => buy({ domain }, key)))
  const known = ['domain_taken', 'domain_already_held', 'order_open']
  assert.equal(creates(domain), 1)
  await until(async () => {
    const balances = await Promise.all(buyers.map(({ id }) => balanceOf(service, id)))
    return balances.every(({ held }) => held === '0.00')
  })
  const reads = await Promise.all(buyers.map(({ key }) => read(domain, key)))
  const winners = buyers.filter((_, i) => reads[i]?.body.status === 'active')
  assert.equal(winners.length, 1, 'one customer has it')
  for (const [i, { status, body, text }] of answers.entries()) {
    const won = winners.some(({ id }) => id === tries[i]?.id)
    // A losing order was open for a moment, too, and its other attempts were shown that order.
    if (status === 200) assert.ok(won || body.status === 'pending', text)
    else assert.ok(status === 409 && known.includes(body.code), text)
    if (won) assert.notEqual(body.code, 'domain_taken', 'it has it itself')
  }
  const left = await Promise.all(
    buyers.map(async ({ id }) => (await balanceOf(service, id)).available),
  )
  const rich = left.filter((available) => available === '1000.00')
  assert.deepEqual([rich.length, left.length - rich.length], [9, 1])
  assert.ok(left.includes(decimal(100_000 - price)))
})
