// After an unknown outcome an order is sent again, read, or keeps its hold: never a second
// year, never a domain for nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PRICES } from '../../../../../sandbox/openprovider/catalog.ts'
import {
  answerTransfer,
  sellElsewhere,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import { startService, type TestCustomer } from '../../../../../test/support/service.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { openprovider } = registrar.sandbox
const buyer = await registrar.customer()

async function orderOf(domain: string) {
  const [order] = await registrar.query(
    `select id, state, error_code, alarm from orders where domain = $1
      order by created_at desc limit 1`,
    [domain],
  )
  return Object(order)
}

/** One round of whatever is open; how the order stands then. */
async function settle(domain: string) {
  await registrar.query(
    'update orders set run_at = now(), lease_until = now() where closed_at is null',
  )
  await registrar.run(settleOrders)
  return orderOf(domain)
}

const post = (path: string, body: object = {}, by: TestCustomer = buyer) =>
  registrar.request('POST', path, { token: by.key, body })
const paid = (domain: string) =>
  openprovider.effects().flatMap(({ domain: name, kind }) => (name === domain ? [kind] : []))
const moving = { auth_code: 'Seeded-2Move', nameservers: ['ns1.example.net', 'ns2.example.net'] }

test('a renewal that nothing fences is not sent again because a reading failed', async () => {
  const domain = await registrar.buys(buyer, 'never-again.shop')
  openprovider.setFault({ name: 'apply_later', command: 'domain:renew', domain, delay_ms: 600_000 })
  const { body } = await post(`/v1/domains/${domain}/renew`)
  assert.equal(body.operation.state, 'unknown')
  // 429 to the reading: of a sending it would be certain that it did nothing.
  openprovider.setFault({ name: 'too_many', command: 'domain:info', times: 2 })
  assert.equal((await settle(domain)).error_code, 'read_session_limit')
  openprovider.clearFaults()
  assert.equal((await settle(domain)).state, 'unknown')
  openprovider.releaseDelayed()
  assert.equal((await settle(domain)).state, 'succeeded')
  assert.deepEqual(paid(domain), ['create', 'renew'])
})

test('a price that rose before a second sending gives nothing back: the first may still land', async () => {
  const domain = 'late.site'
  openprovider.setFault({
    name: 'apply_later',
    command: 'domain:create',
    domain,
    delay_ms: 600_000,
  })
  const { body } = await post('/v1/domains', { domain })
  assert.equal(body.operation.state, 'unknown')
  const { site } = PRICES
  assert.ok(site)
  site.create += 500
  assert.equal((await settle(domain)).state, 'unknown')
  site.create -= 500
  openprovider.releaseDelayed()
  assert.equal((await settle(domain)).state, 'succeeded')
  assert.deepEqual(paid(domain), ['create'])
})

test('does not take the end of an earlier transfer for the end of this one', async () => {
  const domain = 'quiet-river.shop'
  await post('/v1/domains/transfer', { domain, ...moving })
  openprovider.answerTransfer(domain, false)
  assert.equal((await settle(domain)).error_code, 'transfer_rejected')
  openprovider.setFault({ name: 'drop_before', command: 'domain:transfer', domain })
  const { body } = await post('/v1/domains/transfer', { domain, ...moving })
  assert.equal(body.operation.state, 'unknown')
  assert.equal((await settle(domain)).state, 'accepted')
  openprovider.answerTransfer(domain, true)
  assert.equal((await settle(domain)).state, 'succeeded')
})

test('a restore that was accepted and then declined is released, not sent again', async () => {
  const domain = await registrar.buys(buyer, 'declined.shop')
  const deleted_at = registrar.app.calendar.now().getTime()
  const gone = { deleted_at, restorable_until: deleted_at + 20 * 86_400_000 }
  openprovider.setDomain(domain, { status: 'DEL', delete_status: 'quarantine', ...gone })
  openprovider.settings.restore_takes_ms = 86_400_000
  const { body } = await post(`/v1/domains/${domain}/restore`)
  assert.equal(body.operation.state, 'pending')
  assert.equal((await settle(domain)).state, 'accepted')
  openprovider.settings.restore_takes_ms = 0
  openprovider.setDomain(domain, { status: 'DEL', request: null })
  assert.equal((await settle(domain)).state, 'failed')
  assert.deepEqual(paid(domain), ['create'])
})

test('an accepted transfer is only read, even when a reading is refused', async () => {
  const domain = 'refused-once.com'
  await sellElsewhere(registrar, domain)
  const { body } = await post('/v1/domains/transfer', { domain, auth_code: soldCode })
  assert.equal(body.status, 'transfer_pending')
  await answerTransfer(registrar, domain, 'approve')
  registrar.sandbox.setFault({ name: 'refuse_2306', command: 'domain:info', domain, times: 1 })
  assert.equal((await settle(domain)).state, 'accepted')
  assert.equal((await settle(domain)).state, 'succeeded')
})

test('recognizes our own transfer with a clock ten minutes ahead of the registry’s', async () => {
  const domain = 'asked-early.com'
  await sellElsewhere(registrar, domain)
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:transfer', domain, times: 1 })
  await post('/v1/domains/transfer', { domain, auth_code: soldCode })
  await registrar.query(
    `update orders set first_sent_at = first_sent_at + interval '10 minutes' where domain = $1`,
    [domain],
  )
  const { state, alarm } = await settle(domain)
  assert.equal(state, 'parked')
  assert.match(alarm, /older than this order/)
})
