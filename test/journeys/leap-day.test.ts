// Terms that begin on 29 February, and fences around midnight UTC: registry and service calculate
// the same days.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestCustomer } from '../support/service.ts'

const registrar = await startService()
const owner: TestCustomer = await registrar.customer()

async function goTo(to: string): Promise<void> {
  const options = { token: registrar.operatorKey, body: { to } }
  const moved = await registrar.request('POST', '/v1/sandbox/clock', options)
  assert.equal(moved.status, 200, moved.text)
}

async function buy(domain: string, period_years: number): Promise<string> {
  const options = { token: owner.key, body: { domain, period_years } }
  const bought = await registrar.request('POST', '/v1/domains', options)
  assert.equal(bought.body.status, 'active', bought.text)
  return bought.body.expiry
}

async function renew(domain: string, body: object) {
  const path = `/v1/domains/${domain}/renew`
  const done = await registrar.request('POST', path, { token: owner.key, body })
  assert.equal(done.status, 200, done.text)
  assert.equal(done.body.operation.state, 'succeeded', done.text)
  return done.body
}

const read = async (domain: string) =>
  (await registrar.request('GET', `/v1/domains/${domain}`, { token: owner.key })).body
const there = (domain: string) => registrar.sandbox.lookup(domain)?.expires_at
const kinds = (domain: string) =>
  registrar.sandbox
    .effects()
    .filter((effect) => effect.domain === domain)
    .map(({ kind }) => kind)
const dayOf = (moment: string | undefined) => moment?.slice(0, 10)

test('a year from 29 February ends on the 28th, four years on the 29th, also after renewals', async () => {
  await goTo('2028-02-29T12:00:00Z')
  const one = await buy('leap-one.com', 1)
  const four = await buy('leap-four.com', 4)
  assert.equal(dayOf(one), '2029-02-28')
  assert.equal(dayOf(four), '2032-02-29')
  assert.deepEqual([there('leap-one.com'), there('leap-four.com')], [one, four])
  const three = await renew('leap-one.com', { period_years: 3, expected_expiry: one })
  assert.equal(dayOf(three.expiry), '2032-02-28')
  assert.equal(there('leap-one.com'), three.expiry)
})

test('the auto-renewed year from 29 February is recognized and paid as one year', async () => {
  await goTo('2032-03-10T00:00:00Z')
  const before = await read('leap-four.com')
  assert.equal(before.status, 'expired')
  assert.equal(dayOf(before.registry_expiry), '2033-02-28')
  const after = await renew('leap-four.com', { expected_expiry: before.expiry })
  assert.equal(after.status, 'active')
  assert.equal(dayOf(after.expiry), '2033-02-28')
  assert.deepEqual(kinds('leap-four.com'), ['create', 'autorenew'])
  // One year was auto-renewed and one more is requested, so one is sent.
  const grace = await read('leap-one.com')
  assert.equal(dayOf(grace.expiry), '2032-02-28')
  const two = await renew('leap-one.com', { period_years: 2, expected_expiry: grace.expiry })
  assert.equal(dayOf(two.expiry), '2034-02-28')
  assert.deepEqual(kinds('leap-one.com'), ['create', 'renew', 'autorenew', 'renew'])
})

for (const time of ['23:59:57.500', '00:00:00.000', '00:00:02.000'])
  test(`a term that ends about ${time} is fenced by its day in UTC, on either side of it`, async () => {
    const domain = `midnight-${time.replaceAll(/\D/g, '')}.com`
    const year = new Date(registrar.sandbox.now()).getUTCFullYear() + 1
    await goTo(`${year}-05-31T${time}Z`)
    const first = await buy(domain, 1)
    assert.equal(there(domain), first)
    const second = (await renew(domain, { expected_expiry: first })).expiry
    assert.equal(there(domain), second)
    // Just before the auto-renewal, the year is sent once.
    await goTo(new Date(Date.parse(second) - 60_000).toISOString())
    const third = (await renew(domain, { expected_expiry: second })).expiry
    assert.equal(dayOf(third), dayOf(second)?.replace(/^\d+/, String(year + 3)))
    assert.deepEqual(kinds(domain), ['create', 'renew', 'renew'])
    // Just after it, the year is the registry's, and is paid.
    await goTo(new Date(Date.parse(third) + 60_000).toISOString())
    const fourth = (await renew(domain, { expected_expiry: third })).expiry
    assert.equal(there(domain), fourth)
    assert.deepEqual(kinds(domain), ['create', 'renew', 'renew', 'autorenew'])
  })
