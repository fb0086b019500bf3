// Answers about another name than the one that was asked about: unknown, so nothing is captured for
// them; the order is sent again under its fence, and read back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerTransfer,
  deleteBehind,
  sellElsewhere,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { syncDomains } from '../../holdings/sync-domains.job.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await lifecycleService()
const { sandbox } = registrar
const { openprovider } = sandbox
const buyer = await registrar.customer()

type OrderedCase = { domain: string; type: string; command: string; path: string; body: object }
const renewal = (domain: string): OrderedCase => {
  const path = `/v1/domains/${domain}/renew`
  return { domain, type: 'renew', command: 'domain:renew', path, body: {} }
}
const registration = (domain: string): OrderedCase => {
  const path = '/v1/domains'
  return { domain, type: 'register', command: 'domain:create', path, body: { domain } }
}
const purchases: OrderedCase[] = [
  ...['names-a.com', 'names-b.test'].flatMap((domain) => [registration(domain), renewal(domain)]),
  {
    domain: 'names-moved.com',
    type: 'transfer',
    command: 'domain:transfer',
    path: '/v1/domains/transfer',
    body: { domain: 'names-moved.com', auth_code: soldCode },
  },
  {
    domain: 'names-back.com',
    type: 'restore',
    command: 'domain:info',
    path: '/v1/domains/names-back.com/restore',
    body: {},
  },
]
await registrar.buys(buyer, 'names-back.com', { period_years: 2 })
await sellElsewhere(registrar, 'names-moved.com')
await registrar.days(20)
await deleteBehind(registrar, 'names-back.com')
await registrar.advance('PT2M')

async function orderOf({ domain, type }: OrderedCase) {
  const [row] = await registrar.query('select * from orders where domain = $1 and type = $2', [
    domain,
    type,
  ])
  return Object(row)
}

async function settleNow(): Promise<void> {
  await registrar.query('update orders set run_at = now() where closed_at is null')
  await registrar.run(settleOrders)
}

const paidEffects = (domain: string, kind: string) =>
  registrar.effects(domain).filter((one) => one === kind).length

for (const purchase of purchases)
  test(`${purchase.type} of ${purchase.domain}: an answer about another name captures nothing without a reading`, async () => {
    const { domain, type, command, path, body } = purchase
    // The restore's own reading beforehand is true.
    if (type === 'restore') sandbox.setFault({ name: 'slow', command, domain, delay_ms: 1 })
    sandbox.setFault({ name: 'name_other', command, domain })
    const answer = await registrar.request('POST', path, { token: buyer.key, body })
    assert.equal(answer.status, 200, answer.text)
    assert.notEqual(answer.body.operation.state, 'succeeded', answer.text)
    const { state, error_detail } = await orderOf(purchase)
    assert.equal(state, 'unknown')
    if (type !== 'restore') assert.match(error_detail, /about other-/)
    assert.deepEqual(sandbox.faults(), [])
    await settleNow()
    if (type === 'transfer') await answerTransfer(registrar, domain, 'approve')
    await settleNow()
    assert.equal((await orderOf(purchase)).state, 'succeeded')
    const kind = { register: 'create' }[type] ?? type
    assert.equal(paidEffects(domain, kind), 1)
    assert.equal((await registrar.read(buyer, domain)).status, 200)
  })

test('a reading about another name changes nothing of a holding', async () => {
  const domain = await registrar.buys(buyer, 'names-synced.com')
  const before = await registrar.query('select * from domains where name = $1', [domain])
  await registrar.makeDue(domain)
  sandbox.setFault({ name: 'name_other', command: 'domain:info', domain, times: null })
  await registrar.run(syncDomains)
  sandbox.clearFaults()
  const [after] = await registrar.query('select * from domains where name = $1', [domain])
  assert.deepEqual(after, before[0])
})

test('a check that is answered for another name answers nothing', async () => {
  for (const domain of ['names-free.com', 'names-free.shop']) {
    const places = domain.endsWith('.shop') ? openprovider : sandbox
    places.setFault({ name: 'name_other', command: 'domain:check', domain, times: null })
    const path = `/v1/domains/check/${domain}`
    const { body, text } = await registrar.request('GET', path, { token: buyer.key })
    assert.notEqual(body.domains?.[0]?.available, true, text)
    sandbox.clearFaults()
    openprovider.clearFaults()
  }
})

test('a reseller that lists another name: no customer loses a holding, and no order ends', async () => {
  const domain = await registrar.buys(buyer, 'names-resold.shop')
  await registrar.makeDue(domain)
  openprovider.setFault({ name: 'name_other', command: 'domain:info', domain, times: null })
  await registrar.run(syncDomains)
  const renewed = await registrar.request('POST', `/v1/domains/${domain}/renew`, {
    token: buyer.key,
    body: {},
  })
  openprovider.clearFaults()
  assert.equal(renewed.body.code, 'registry_unreachable', renewed.text)
  const [row] = await registrar.query('select ended_at from domains where name = $1', [domain])
  assert.equal(row?.ended_at, null)
})

test('a check of another name at a reseller leaves the requested one unknown', async () => {
  const domain = await registrar.buys(buyer, 'names-vague.shop')
  openprovider.setDomain(domain, { status: 'FAI' })
  await registrar.makeDue(domain)
  openprovider.setFault({ name: 'name_other', command: 'domain:check', domain, times: null })
  await registrar.run(syncDomains)
  openprovider.clearFaults()
  const [row] = await registrar.query('select ended_at from domains where name = $1', [domain])
  assert.equal(row?.ended_at, null)
})
