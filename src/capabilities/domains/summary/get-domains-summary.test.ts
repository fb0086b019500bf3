// GET /v1/domains/summary: counts of the domains, the cost of their renewals, what needs a
// decision.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyHolding } from '../../../../test/support/owner-sql.ts'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { movePaidUntil } from '../orders/order-batcher.fixture.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const read = async (token: string) => {
  const answer = await registrar.request('GET', '/v1/domains/summary', { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const inDays = (count: number) => `now() + interval '${count} days'`

async function holder(label: string, tlds: readonly string[]): Promise<TestCustomer> {
  const buyer = await registrar.customer({ funds_cents: 50_000 })
  for (const [at, tld] of tlds.entries()) await registrar.buys(buyer, `${label}-${at}.${tld}`)
  return buyer
}

test('an account without domains is all zeros', async () => {
  const { as_of, ...body } = await read((await registrar.customer()).key)
  assert.ok(Date.parse(as_of) > 0)
  assert.deepEqual(body, {
    ...{ total: 0, auto_renew: 0, statuses: [], expiries: [], first_expiry: null, tlds: [] },
    ...{ other_tlds: 0, costs: [], attention: { total: 0, domains: [] } },
  })
})

test('counts by status, month and TLD, as the list of domains has them', async () => {
  const buyer = await holder('counted', ['com', 'com', 'com', 'io'])
  await movePaidUntil(registrar.query, 'counted-0.com', inDays(-1))
  await registrar.query(`update domains set auto_renew = true where name = 'counted-3.io'`)
  const body = await read(buyer.key)
  const { domains } = (await registrar.request('GET', '/v1/domains', { token: buyer.key })).body
  assert.deepEqual([body.total, body.auto_renew, domains.length], [4, 1, 4])
  assert.deepEqual(body.statuses, [
    { status: 'active', domains: 3 },
    { status: 'expired', domains: 1 },
  ])
  assert.deepEqual(body.tlds, [
    { tld: 'com', domains: 3 },
    { tld: 'io', domains: 1 },
  ])
  const listed = (domain: string) =>
    domains.find((one: { domain: string }) => one.domain === domain).expires_at
  const month = listed('counted-3.io').slice(0, 7)
  const found = body.expiries.find((one: { month: string }) => one.month === month)
  assert.deepEqual(found, { month, domains: 3, auto_renew: 1 })
  assert.equal(body.first_expiry, [1, 2].map((at) => listed(`counted-${at}.com`)).toSorted()[0])
})

test('the cost is that of the runway, and of the automatic renewals of 30 days beside', async () => {
  const buyer = await holder('costs', ['com', 'com', 'com'])
  await movePaidUntil(registrar.query, 'costs-0.com', inDays(10))
  await movePaidUntil(registrar.query, 'costs-1.com', inDays(100))
  await registrar.query(`update domains set auto_renew = true where name = 'costs-0.com'`)
  const [costs] = (await read(buyer.key)).costs
  const runway = await registrar.request('GET', '/v1/account/runway', { token: buyer.key })
  assert.equal(costs.due, runway.body.currencies[0].due)
  assert.deepEqual(costs, {
    ...{ currency: 'USD', domains: 3, due: costs.due, unpriced: 0 },
    automatic: { domains: 1, due: '10.85', unpriced: 0 },
  })
})

test('decisions that are due come most urgent first, and is at most ten', async () => {
  const buyer = await holder('needs', ['com', 'com', 'com', 'io'])
  await movePaidUntil(registrar.query, 'needs-0.com', inDays(20))
  await movePaidUntil(registrar.query, 'needs-1.com', inDays(-2))
  const transfer = { requested_by: 'Elsewhere', acts_at: '2031-01-01T00:00:00.000Z' }
  await registrar.query(`update domains set transfer_out = $1 where name = 'needs-2.com'`, [
    { ...transfer, requested_at: '2030-12-27T00:00:00.000Z' },
  ])
  const { attention } = await read(buyer.key)
  type Shown = { domain: string; reason: string }
  const shown = attention.domains.map(({ domain, reason }: Shown) => [domain, reason])
  assert.deepEqual(shown, [
    ['needs-2.com', 'transfer_requested'],
    ['needs-1.com', 'expired'],
    ['needs-0.com', 'expires_soon'],
  ])
  const [first] = attention.domains
  assert.deepEqual([first.at, first.requested_by], [transfer.acts_at, transfer.requested_by])
  const names = Array.from({ length: 200 }, (_, at) => `needs-many-${at}.io`)
  await copyHolding(registrar, 'needs-3.io', names)
  await registrar.query(
    `update domains set rgp_statuses = '{redemptionPeriod}' where name like 'needs-many-%'`,
  )
  const answer = await registrar.request('GET', '/v1/domains/summary', { token: buyer.key })
  assert.deepEqual([answer.body.total, answer.body.attention.total], [204, 203])
  assert.equal(answer.body.attention.domains.length, 10)
  assert.ok(answer.text.length < 4_000, `${answer.text.length} characters`)
})

test('a key that sees some domains has only these counted, and needs domains:read', async () => {
  const buyer = await holder('seen', ['com', 'com', 'io'])
  const keyWith = async (body: object) => {
    const path = `/v1/customers/${buyer.id}/api-keys`
    const made = await registrar.request('POST', path, { token: registrar.operatorKey, body })
    assert.equal(made.status, 201, made.text)
    return String(made.body.api_key)
  }
  const limited = await keyWith({ scopes: ['domains:read'], allowed_domains: ['seen-1.com'] })
  const body = await read(limited)
  assert.deepEqual([body.total, body.tlds], [1, [{ tld: 'com', domains: 1 }]])
  assert.deepEqual([body.costs.length, body.costs[0].domains], [1, 1])
  const token = await keyWith({ scopes: ['billing:read'] })
  const refused = await registrar.request('GET', '/v1/domains/summary', { token })
  assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'])
})
