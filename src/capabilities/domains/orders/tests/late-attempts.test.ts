// Attempts that land late: an order is released only once an earlier attempt without an answer can
// no longer be applied by the registry.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerTransfer,
  sellElsewhere,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await lifecycleService()
const { sandbox } = registrar
/** Longer than the test: it lands when the test releases it. */
const delay_ms = 600_000

const post = (token: string, path: string, body: object = {}) =>
  registrar.request('POST', path, { token, body })

async function orderOf(domain: string) {
  const [order] = await registrar.query(
    `select state, error_code from orders where domain = $1 order by created_at desc limit 1`,
    [domain],
  )
  return `${order?.state} ${order?.error_code ?? ''}`.trim()
}

/** One round of the order, however long it was to wait. */
async function settle(domain: string) {
  await registrar.query(
    'update orders set run_at = now(), lease_until = now() where domain = $1 and closed_at is null',
    [domain],
  )
  await registrar.run(settleOrders)
  return orderOf(domain)
}

/** As if the unanswered attempt had been sent `interval` earlier. */
const backdate = (domain: string, interval: string) =>
  registrar.query(
    'update orders set unanswered_at = unanswered_at - $2::interval where domain = $1',
    [domain, interval],
  )

/** A transfer whose first request is on its way still, and whose second one was accepted. */
async function askedTwice(domain: string) {
  const buyer = await registrar.customer({ funds_cents: 2_000 })
  await sellElsewhere(registrar, domain)
  sandbox.setFault({ name: 'apply_later', command: 'domain:transfer', domain, delay_ms })
  const { body } = await post(buyer.key, '/v1/domains/transfer', { domain, auth_code: soldCode })
  assert.equal(body.operation.state, 'unknown')
  assert.equal(await settle(domain), 'accepted accepted')
  return buyer
}

test('a transfer that is rejected stays open while its first request may still land', async () => {
  const domain = 'rejected-early.com'
  const buyer = await askedTwice(domain)
  await answerTransfer(registrar, domain, 'reject')
  assert.equal(await settle(domain), 'accepted release_deferred')
  sandbox.releaseDelayed()
  assert.equal(await settle(domain), 'accepted transfer_pending', 'the first request landed')
  await answerTransfer(registrar, domain, 'approve')
  assert.equal(await settle(domain), 'succeeded')
  assert.deepEqual(registrar.effects(domain).slice(-1), ['transfer'])
  assert.equal(await registrar.balance(buyer), '9.15 0.00')
})

test('a transfer that is canceled stays open while its first request may still land', async () => {
  const domain = 'cancelled-early.com'
  const buyer = await askedTwice(domain)
  const cancel = () => post(buyer.key, `/v1/domains/${domain}/transfer/cancel`)
  const first = await cancel()
  assert.equal(first.status, 503, first.text)
  assert.ok(first.headers.get('retry-after'))
  assert.equal(await orderOf(domain), 'accepted release_deferred')
  const again = await cancel()
  assert.equal(again.status, 503, `canceled at the registry already: ${again.text}`)
  sandbox.releaseDelayed()
  assert.equal((await cancel()).status, 503, 'the first request landed, and is canceled as well')
  await backdate(domain, '1 hour')
  const ended = await cancel()
  assert.equal(ended.body.operation?.error?.code, 'transfer_cancelled', ended.text)
  assert.equal(await registrar.balance(buyer), '20.00 0.00')
})

test('once nothing can land any more, a rejected transfer is released', async () => {
  const domain = 'rejected-late.com'
  const buyer = await askedTwice(domain)
  await answerTransfer(registrar, domain, 'reject')
  await backdate(domain, '1 hour')
  assert.equal(await settle(domain), 'failed transfer_rejected')
  assert.equal(await registrar.balance(buyer), '20.00 0.00')
})

const refusals = ['refuse_2306', 'credit_gone'] as const
for (const refusal of refusals)
  test(`a registration whose re-send is refused (${refusal}) waits for its first request`, async () => {
    const domain = `late-${refusal.replace('_', '-')}.com`
    const buyer = await registrar.customer({ funds_cents: 2_000 })
    sandbox.setFault({ name: 'apply_later', command: 'domain:create', domain, delay_ms })
    const { body } = await post(buyer.key, '/v1/domains', { domain })
    assert.equal(body.operation.state, 'unknown')
    sandbox.setFault({ name: refusal, command: 'domain:create', domain, times: 1 })
    assert.match(await settle(domain), /^unknown /)
    sandbox.releaseDelayed()
    assert.equal(await settle(domain), 'succeeded')
    assert.deepEqual(registrar.effects(domain), ['create'])
  })

test('a renewal and a restore whose re-send is refused wait for their first request', async () => {
  for (const type of ['renew', 'restore'] as const) {
    const domain = `late-${type}.com`
    const buyer = await registrar.customer({ funds_cents: 50_000 })
    await registrar.buys(buyer, domain)
    if (type === 'restore') {
      const { deleteBehind } = await import('../../../../../test/support/other-registrar.ts')
      await registrar.days(6)
      await deleteBehind(registrar, domain)
    }
    const command = type === 'renew' ? 'domain:renew' : 'domain:update'
    sandbox.setFault({ name: 'apply_later', command, domain, delay_ms })
    const { body } = await post(buyer.key, `/v1/domains/${domain}/${type}`)
    assert.equal(body.operation?.state, 'unknown', JSON.stringify(body))
    sandbox.setFault({ name: 'refuse_2306', command, domain, times: 1 })
    assert.match(await settle(domain), /^unknown /, type)
    sandbox.releaseDelayed()
    assert.match(await settle(domain), /^(succeeded|accepted)/, type)
  }
})

test('a first attempt that is refused is released at once', async () => {
  const domain = 'refused-first.com'
  const buyer = await registrar.customer({ funds_cents: 2_000 })
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:create', domain, times: 1 })
  const { status, text } = await post(buyer.key, '/v1/domains', { domain })
  assert.equal(status, 409, text)
  assert.match(await orderOf(domain), /^failed/)
})
