// The effect of an operator's decision for each kind of order, and the holdings it may change.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { sellElsewhere, soldCode } from '../../../../test/support/other-registrar.ts'
import { sharedService } from '../../../../test/support/service.ts'
import type { AuditRow } from '../../../app.ts'
import { newId } from '../../../kit/random.ts'
import { systemCall } from '../../audit/index.ts'
import { newAttempt } from '../orders/attempt.ts'

const registrar = await sharedService({ worker: false })
const { app } = registrar.service
const token = registrar.operatorKey
const [owner, other] = await Promise.all([registrar.customer(), registrar.customer()])
const client = new pg.Client({ connectionString: registrar.service.settings.database_url ?? '' })
before(() => client.connect())
after(() => client.end())

const settle = (id: string, body: object = {}) =>
  registrar.request('POST', `/v1/internal/parked-orders/${id}/settle`, { token, body })
const release = (id: string, body: object) =>
  registrar.request('POST', `/v1/internal/parked-orders/${id}/release`, { token, body })

async function buy(domain: string, by = owner) {
  const { body } = await registrar.request('POST', '/v1/domains', {
    token: by.key,
    body: { domain },
  })
  assert.equal(body.status, 'active', JSON.stringify(body))
  return { expiry: String(body.expiry) }
}

type PlacementResult = {
  type: string
  domain: string
  command: object
  first_sent_at?: Date
  fence?: string
}

/** An order of any kind with its hold, parked at once. */
async function park(order: PlacementResult) {
  const { type, domain, command, first_sent_at = new Date(), fence = null } = order
  const id = newId('ord')
  const audit: AuditRow = systemCall(app, 'test').auditRow({
    target_type: 'domain',
    target: domain,
  })
  const placed = await app.orderBatcher.place({
    id,
    customer_id: owner.id,
    type,
    domain,
    registry: 'thin',
    currency: 'USD',
    amount: '1000',
    digest: id,
    command,
    fingerprint: newAttempt(id, 1).fingerprint,
    first_sent_at: first_sent_at.toISOString(),
    fence,
    sealed: null,
    traceparent: null,
    lease_ms: 0,
    lease_token: 'none',
    api_key_id: null,
    oauth_grant_id: null,
    session_id: null,
    address: null,
    key_hash: null,
    approval_id: null,
    approval_digest: null,
    quote_id: null,
    from_reserve: false,
    description: `${type} of ${domain}`,
    idempotency_key: null,
    idempotency_digest: null,
    contacts: {},
    audit,
  })
  assert.equal(placed.outcome, 'placed')
  await client.query(
    `update orders set state = 'parked', alarm = 'parked: test', lease_until = now() where id = $1`,
    [id],
  )
  return id
}

function renewalOf(expiry: string) {
  const command = { period_years: 2, paid_until: expiry, registry_expiry: expiry, send_years: 2 }
  return { ...command, fee: null }
}

test('a renewal is settled once the registry shows its years, and they are the holding’s then', async () => {
  const domain = 'kinds-renew.com'
  const { expiry } = await buy(domain)
  const id = await park({ type: 'renew', domain, command: renewalOf(expiry), fence: expiry })
  const early = await settle(id)
  assert.deepEqual([early.status, early.body.code], [409, 'order_not_as_bought'])
  assert.deepEqual(
    [early.body.registry_shows.state, early.body.registry_shows.as_bought],
    ['ours', false],
  )
  const registry = app.registries.byTld.get('com')?.registry
  const done = await registry?.renew(
    { domain, cur_exp_date: expiry.slice(0, 10), period_years: 2, fee: null },
    { cl_trid: 'test-renew-1', priority: 'purchase', at: () => undefined },
  )
  assert.equal(done?.kind, 'done', JSON.stringify(done))
  assert.equal((await release(id, { reason: 'x' })).body.code, 'order_as_bought')
  const settled = await settle(id)
  assert.equal(settled.status, 200, settled.text)
  const { body } = await registrar.request('GET', `/v1/domains/${domain}`, { token: owner.key })
  assert.equal(body.expiry, settled.body.registry_shows.expires_at)
  assert.equal(Number(body.expiry.slice(0, 4)), Number(expiry.slice(0, 4)) + 2)
})

test('a renewal whose holding is another’s now takes nothing from it, even by force', async () => {
  const domain = 'kinds-gone.com'
  const { expiry } = await buy(domain)
  const id = await park({ type: 'renew', domain, command: renewalOf(expiry), fence: expiry })
  await client.query('update domains set customer_id = $2 where name = $1', [domain, other.id])
  const refused = await settle(id, { force: true })
  assert.deepEqual([refused.status, refused.body.code], [409, 'order_without_holding'])
  assert.equal(refused.body.held_by, other.id)
  assert.equal((await release(id, { reason: 'It is another registrar’s.' })).status, 200)
})

test('a registration never takes the holding of another customer that is older than it', async () => {
  const domain = 'kinds-theirs.com'
  await buy(domain, other)
  const command = {
    period_years: 1,
    nameservers: ['ns1.a.net', 'ns2.a.net'],
    contacts: {},
    fee: null,
  }
  const first_sent_at = new Date(Date.now() + 3_600_000)
  const id = await park({ type: 'register', domain, command, first_sent_at })
  assert.equal((await settle(id)).body.code, 'order_not_as_bought')
  const refused = await settle(id, { force: true })
  assert.deepEqual([refused.status, refused.body.code], [409, 'order_without_holding'])
  const { body } = await registrar.request('GET', `/v1/domains/${domain}`, { token: other.key })
  assert.equal(body.status, 'active')
  assert.equal((await release(id, { reason: 'It is held already.' })).status, 200)
})

test('a transfer whose domain another registrar has is not settled', async () => {
  const id = await park({
    type: 'transfer',
    domain: 'google.com',
    command: { period_years: 1, nameservers: null, contacts: {}, fee: null },
  })
  const refused = await settle(id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'order_not_ours'])
  assert.ok(['theirs', 'absent'].includes(refused.body.registry_shows.state))
  assert.equal((await release(id, { reason: 'Rejected by telephone.' })).status, 200)
})

/** Asked for, and not answered by the other registrar. */
async function pending(domain: string) {
  await sellElsewhere(registrar, domain)
  const asked = await registrar.request('POST', '/v1/domains/transfer', {
    token: owner.key,
    body: { domain, auth_code: soldCode },
  })
  assert.equal(asked.body.status, 'transfer_pending', asked.text)
  const { rows } = await client.query(
    `update orders set alarm = 'late', lease_until = now(), run_at = '2200-01-01'
      where domain = $1 returning id`,
    [domain],
  )
  return { domain, id: String(rows[0].id) }
}
const showsOf = (domain: string) => registrar.sandbox.lookup(domain)?.transfer?.status

test('a transfer that is released is called back first: it does not arrive without a customer', async () => {
  const { domain, id } = await pending('kinds-called-back.com')
  const released = await release(id, { reason: 'It took too long.', force: true })
  assert.equal(released.status, 200, released.text)
  assert.equal(showsOf(domain), 'clientCancelled')
})

test('releases nothing when the registry does not answer whether it canceled a transfer', async () => {
  const { domain, id } = await pending('kinds-silent.com')
  // The question about the transfer, and the calling back.
  registrar.sandbox.setFault({ name: 'fail_2400', command: 'domain:transfer', domain, times: 2 })
  const silent = await release(id, { reason: 'It took too long.', force: true })
  assert.deepEqual([silent.status, silent.body.code], [503, 'registry_unreachable'])
  assert.equal(showsOf(domain), 'pending')
  assert.equal((await release(id, { reason: 'x', force: true })).status, 200)
  assert.equal(showsOf(domain), 'clientCancelled')
})
