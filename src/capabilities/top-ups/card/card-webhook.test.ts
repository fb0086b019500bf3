// The webhook of the card processor: events are hints, and come repeated, late, forged or never.
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { startProcessorControl } from '../../../../sandbox/processor/processor-control.ts'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { webhookSecret } from '../../../../test/support/payments/stripe-signature.ts'
import { sharedService } from '../../../../test/support/service.ts'
import type { App } from '../../../app.ts'
import { Fault } from '../../../kit/fault.ts'
import { systemCall } from '../../audit/index.ts'
import { cardPayments, webhook } from './card-payments.fixture.ts'
import { receiveProcessorEvent } from './receive-event.ts'

const registrar = await sharedService({ worker: false })
const rows = rowsIn(registrar)
const card = cardPayments(registrar)
const { processor } = card
afterEach(() => processor.clearFaults())

/** As an operator of the sandbox registers it. */
async function registerEndpoint(url: string): Promise<void> {
  const control = await startProcessorControl(processor, 'token')
  const { status } = await fetch(`${control.url}/endpoint`, {
    method: 'POST',
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    body: JSON.stringify({ url, secret: webhookSecret }),
  })
  assert.equal(status, 200)
  await control.close()
}

describe('the webhook', () => {
  it("credits by the processor's own events, repeated, reversed, forged and lost", async () => {
    await registerEndpoint(registrar.url + webhook)
    const buyer = await card.buyer()
    const [first, second, third] = [
      await card.open(buyer),
      await card.open(buyer),
      await card.open(buyer),
    ]
    processor.setFault({ name: 'webhook_repeated', copies: 10 })
    const { id } = processor.pay(first.session)
    // A refund of what is not credited yet is found by the job alone.
    await processor.webhooksSent()
    processor.setFault({ name: 'webhook_bad_signature' })
    processor.pay(second.session)
    processor.setFault({ name: 'webhook_reversed', times: 2 })
    processor.pay(third.session)
    processor.refund(id, 500)
    processor.releaseDelayed()
    await processor.webhooksSent()
    // Tests of other files pay there, too.
    await registerEndpoint('http://127.0.0.1:1/')
    assert.deepEqual(await card.balance(buyer), { available: '45.00', owed: '0.00' })
    // A read of an open one over the API would ask the processor.
    const states = [first, second, third].map(async (one) => {
      const sql = 'select status from card_checkouts where id = $1'
      return (await rows(sql, [one.id]))[0]?.status
    })
    assert.deepEqual(await Promise.all(states), ['paid', 'open', 'paid'])
  })

  it('is answered 503 while the processor cannot be read, so that the event comes again', async () => {
    const buyer = await card.buyer()
    const { session } = await card.open(buyer)
    processor.pay(session)
    for (const name of ['fail_500', 'garbage', 'drop_after', 'huge', 'redirect'] as const) {
      processor.setFault({ name, command: 'session:read' })
      const { status, body } = await card.sessionEvent(session)
      assert.deepEqual([status, body.code], [503, 'processor_unavailable'], name)
    }
    assert.equal((await card.sessionEvent(session)).status, 200)
    assert.equal((await card.balance(buyer)).available, '25.00')
  })

  it('finds the session of a checkout whose opening was cut off', async () => {
    const buyer = await card.buyer()
    processor.setFault({ name: 'lost_500', command: 'session:create' })
    const path = `/v1/customers/${buyer.id}/billing/processor/checkouts`
    const options = { token: buyer.key, body: { amount_cents: 800 } }
    const { body } = await registrar.request('POST', path, options)
    const lost = processor.sessions().find((one) => one.client_reference_id === buyer.id)
    processor.pay(lost?.id ?? '')
    assert.equal((await card.sessionEvent(lost?.id ?? '')).status, 200)
    assert.equal((await card.read(buyer, body.checkout_id)).body.status, 'paid')
    assert.equal((await card.balance(buyer)).available, '8.00')
  })

  it('credits nothing for a session that no checkout explains, and raises an alarm', async () => {
    assert.equal((await card.sessionEvent('cs_test_elsewhere')).status, 200)
    assert.equal((await card.intentEvent('pi_elsewhere')).status, 200)
    const alarms = card.alarms('card_event_unknown').join()
    assert.ok(alarms.includes('cs_test_elsewhere') && alarms.includes('pi_elsewhere'))
    const rows = await card.rows(
      `select customer_id, entry_point, actor_type, result from audit_logs where target = $1`,
      ['cs_test_elsewhere'],
    )
    const row = { customer_id: null, entry_point: 'webhook', actor_type: 'system' }
    assert.deepEqual(rows, [{ ...row, result: 'unknown' }])
  })
})

describe('the webhook of a service', () => {
  it('does not exist without its secret', async () => {
    const { app } = registrar.service
    const other: App = { ...app, settings: { ...app.settings, stripe_webhook_secret: null } }
    const call = systemCall(other, 'receive_processor_event')
    await assert.rejects(
      receiveProcessorEvent.run({}, call, other),
      (error) => error instanceof Fault && error.type.code === 'not_configured',
    )
  })
})
