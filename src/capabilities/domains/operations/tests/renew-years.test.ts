// Every year is paid once, also where the registry's date is not the one that was paid for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteBehind } from '../../../../../test/support/other-registrar.ts'
import { startService } from '../../../../../test/support/service.ts'
import { addYears } from '../../../../kit/clock.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { handlerOf } from '../../orders/handlers/order-handlers.ts'
import { movePaidUntil } from '../../orders/order-batcher.fixture.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const buyer = await registrar.customer()
const post = (domain: string, what: 'renew' | 'restore') =>
  registrar.request('POST', `/v1/domains/${domain}/${what}`, { token: buyer.key, body: {} })

test('a date that the registry moved by some days makes no year free', async () => {
  const domain = await registrar.buys(buyer, 'moved-date.com')
  await movePaidUntil(registrar.query, domain, `expiry - interval '3 days'`)
  const { expiry } = (await registrar.read(buyer, domain)).body
  await registrar.days(366)
  const renewed = await post(domain, 'renew')
  assert.equal(renewed.status, 200, renewed.text)
  assert.equal(renewed.body.expiry, addYears(new Date(expiry), 1).toISOString())
  assert.deepEqual(registrar.effects(domain), ['create', 'autorenew'])
})

test('a year that was paid for and removed by the registry is not paid for again', async () => {
  const domain = await registrar.buys(buyer, 'taken-back.com')
  await registrar.days(20)
  const { expiry } = (await post(domain, 'renew')).body
  await deleteBehind(registrar, domain)
  await registrar.days(1)
  const back = await post(domain, 'restore')
  assert.equal(back.body.expiry, expiry, back.text)
  assert.ok(back.body.registry_expiry < expiry)
  await registrar.days(2)
  const renewed = await post(domain, 'renew')
  assert.equal(renewed.body.expiry, addYears(new Date(expiry), 1).toISOString(), renewed.text)
  assert.equal(renewed.body.registry_expiry, renewed.body.expiry)
})

test('dates with microseconds are kept as they are compared: a fence fits', () => {
  const contacts = {}
  const order = {
    id: 'ord_fine',
    customer_id: buyer.id,
    domain: 'fine.com',
    currency: 'USD',
    command: { period_years: 1, nameservers: [], contacts, fee: null },
    attempts: 1,
    fingerprints: [],
    first_sent_at: new Date(),
    created_at: new Date(),
    sealed: null,
    lease_token: '',
    send_by_ms: 0,
    unanswered_at: null,
  }
  const now = new Date('2026-05-01T10:00:00Z')
  const created_at = '2026-05-01T10:00:00.123456Z'
  const purchased = { expires_at: '2027-05-01T10:00:00.123456Z', created_at }
  for (const type of ['register', 'transfer'] as const) {
    const handler = handlerOf(type)
    const circumstances = { now, first_sent_at: now, max_term_years: 10 }
    const term = handler.term({ ...order, type }, purchased, circumstances)
    const { paid_until, registry_expiry } = handler.holding({ ...order, type }, purchased, { term })
    assert.deepEqual([paid_until, registry_expiry], Array(2).fill('2027-05-01T10:00:00.123Z'))
  }
})
