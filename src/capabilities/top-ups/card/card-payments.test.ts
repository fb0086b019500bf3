// Failures of payments by card: reports that are repeated, contradict one another, are unverified
// or forged, and reversals. Kills between the steps are in test/disasters/card-kills.test.ts.
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { sharedService, type TestCustomer } from '../../../../test/support/service.ts'
import type { App } from '../../../app.ts'
import { Fault } from '../../../kit/fault.ts'
import { systemCall } from '../../audit/index.ts'
import { cardPayments } from './card-payments.fixture.ts'
import { creditProcessorTopUp } from './credit-top-up.ts'

const registrar = await sharedService({ worker: false })
const card = cardPayments(registrar)
const { processor } = card
afterEach(() => processor.clearFaults())

const credits = '/v1/internal/billing/processor/top-ups'
const factsOf = ({ id }: TestCustomer, session: string) => ({
  customer_id: id,
  amount_cents: 2_500,
  currency: 'USD',
  processor_checkout_session_id: session,
})
const report = (body: object, token = registrar.operatorKey) =>
  registrar.request('POST', credits, { token, body })

/** The operation with other settings: as of a service with a key of Stripe, or in production. */
function runWith(settings: Partial<App['settings']>, input: object): Promise<unknown> {
  const { app } = registrar.service
  const other: App = { ...app, settings: { ...app.settings, ...settings } }
  return creditProcessorTopUp.run(input, systemCall(other, 'credit_processor_top_up'), other)
}
const verify = (input: object) => runWith({ stripe_secret_key: processor.api_key }, input)
const refused = (call: Promise<unknown>, code: string) =>
  assert.rejects(call, (error) => error instanceof Fault && error.type.code === code)

it('50 reports of one session at once, by every path, are one credit', async () => {
  const buyer = await card.buyer()
  const { id, session } = await card.open(buyer)
  processor.pay(session)
  await card.evictReading(id)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => {
      if (i % 3 === 0) return card.sessionEvent(session)
      return i % 3 === 1 ? report(factsOf(buyer, session)) : card.read(buyer, id)
    }),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.ok(answers.filter(({ body }) => body.credited === true).length <= 1)
  assert.deepEqual(await card.balance(buyer), { available: '25.00', owed: '0.00' })
  assert.deepEqual(await card.invoices(buyer), [['invoice', '25.00']])
  const again = await report(factsOf(buyer, session))
  assert.deepEqual([again.body.credited, again.body.amount], [false, '25.00'])
  assert.equal((await card.read(buyer, id)).body.status, 'paid')
})

it('a credited session with another amount or customer is 409, and nothing is posted', async () => {
  const [buyer, other] = await Promise.all([card.buyer(), card.buyer()])
  const { id, session } = await card.open(buyer)
  const wrong = { ...factsOf(other, session), amount_cents: 2_400 }
  assert.equal((await report(wrong)).status, 200, 'an operator is believed without a key')
  for (const body of [factsOf(other, session), factsOf(buyer, session)]) {
    const { status, body: problem } = await report(body)
    assert.deepEqual([status, problem.code], [409, 'top_up_conflict'])
  }
  processor.pay(session)
  assert.equal((await card.sessionEvent(session)).status, 200)
  assert.equal((await card.read(buyer, id)).body.status, 'parked')
  assert.equal(card.alarms('card_parked').filter((line) => line.includes(id)).length, 1)
  assert.equal((await card.balance(buyer)).available, '0.00')
})

describe('with a key, the internal route', () => {
  it('refuses unknown and unpaid sessions, another currency and other facts', async () => {
    const [buyer, other] = await Promise.all([card.buyer(), card.buyer()])
    const { session } = await card.open(buyer)
    const facts = factsOf(buyer, session)
    await refused(
      verify({ ...facts, processor_checkout_session_id: 'cs_1' }),
      'top_up_not_verified',
    )
    await refused(verify(facts), 'top_up_not_verified')
    const intent = processor.pay(session, true)
    await refused(verify(facts), 'top_up_not_verified')
    processor.settle(intent.id, true)
    for (const wrong of [
      { currency: 'EUR' },
      { amount_cents: 2_499 },
      { customer_id: other.id },
      { processor_payment_intent_id: 'pi_1' },
    ])
      await refused(verify({ ...facts, ...wrong }), 'top_up_not_verified')
    processor.setFault({ name: 'fail_500', command: 'session:read' })
    await refused(verify(facts), 'processor_unavailable')
    assert.equal((await card.balance(buyer)).available, '0.00')
    assert.equal(Object(await verify(facts)).processor_payment_intent_id, intent.id)
    assert.equal((await card.balance(buyer)).available, '25.00')
  })

  it('credits nothing in production without a key, unless that is waived', async () => {
    const buyer = await card.buyer()
    const production = { environment: 'production', stripe_secret_key: null } as const
    const facts = factsOf(buyer, `cs_production_${buyer.key_id}`)
    await refused(runWith(production, facts), 'not_configured')
    const waived = { ...production, allow_unverified_top_ups: true }
    assert.equal(Object(await runWith(waived, facts)).credited, true)
  })
})

async function parkedReversals({ id }: TestCustomer) {
  const path = '/v1/internal/billing/parked-card-reversals?limit=500'
  const { body } = await registrar.request('GET', path, { token: registrar.operatorKey })
  const listed: Record<string, unknown>[] = body.reversals
  return listed
    .filter(({ customer_id }) => customer_id === id)
    .map(({ amount, parked_amount }) => [amount, parked_amount])
}

describe('a reversal by refund or dispute', () => {
  it('of a part takes that part, and its failure gives it again', async () => {
    const buyer = await card.buyer()
    const intent = await card.topUp(buyer)
    const { id } = processor.refund(intent, 700)
    for (const _ of [1, 2]) assert.equal((await card.intentEvent(intent)).status, 200)
    assert.equal((await card.balance(buyer)).available, '18.00')
    processor.failRefund(id)
    for (const _ of [1, 2]) await card.intentEvent(intent, 'refund.failed')
    assert.equal((await card.balance(buyer)).available, '25.00')
    assert.deepEqual((await card.invoices(buyer)).toReversed(), [
      ['invoice', '25.00'],
      ['credit_note', '7.00'],
      ['invoice', '7.00'],
    ])
  })

  it('of spent money stops purchases, until the next payment has paid it', async () => {
    const buyer = await card.buyer()
    const intent = await card.topUp(buyer, 2_000)
    const buy = (domain: string) =>
      registrar.request('POST', '/v1/domains', { token: buyer.key, body: { domain } })
    assert.equal((await buy(`card-${buyer.key_id}.com`)).status, 200)
    const dispute = processor.dispute(intent, null)
    await card.intentEvent(intent, 'charge.dispute.created')
    assert.deepEqual(await card.balance(buyer), { available: '0.00', owed: '10.85' })
    assert.equal((await buy(`debt-${buyer.key_id}.com`)).status, 402)
    await card.topUp(buyer, 1_500)
    assert.deepEqual(await card.balance(buyer), { available: '4.15', owed: '0.00' })
    processor.closeDispute(dispute.id, 'won')
    await card.intentEvent(intent, 'charge.dispute.closed')
    assert.deepEqual(await card.balance(buyer), { available: '24.15', owed: '0.00' })
  })

  it('moves nothing for an inquiry, and is parked beyond the payment, with one alarm', async () => {
    const buyer = await card.buyer()
    const intent = await card.topUp(buyer)
    const inquiry = processor.dispute(intent, null, true)
    await card.intentEvent(intent, 'charge.dispute.created')
    assert.equal((await card.balance(buyer)).available, '25.00')
    processor.refund(intent, 2_000)
    processor.closeDispute(inquiry.id, 'lost')
    for (const _ of [1, 2]) await card.intentEvent(intent, 'charge.dispute.closed')
    assert.deepEqual(await card.balance(buyer), { available: '0.00', owed: '0.00' })
    const alarms = card.alarms('card_reversal_parked').filter((line) => line.includes(buyer.id))
    assert.deepEqual([alarms.length, JSON.parse(alarms[0] ?? '').parked_cents], [1, '2000'])
    assert.deepEqual(await parkedReversals(buyer), [['25.00', '20.00']])
  })

  it('is found by the job when no event came, also one before the credit', async () => {
    const buyer = await card.buyer()
    const { session } = await card.open(buyer)
    const { id } = processor.pay(session)
    processor.refund(id, 400)
    await card.intentEvent(id)
    await card.sessionEvent(session)
    assert.equal((await card.balance(buyer)).available, '25.00')
    await card.runJobs()
    assert.equal((await card.balance(buyer)).available, '21.00')
    processor.dispute(id, 100)
    const key = `processor/${session}`
    await card.rows('update tasks set run_at = now() where key = $1', [key])
    await card.runJobs()
    assert.equal((await card.balance(buyer)).available, '20.00')
    const [task] = await card.rows(
      `select run_at - now() between interval '21 h' and interval '24 h' as daily from tasks
        where key = $1`,
      [key],
    )
    assert.equal(task?.daily, true)
  })
})

describe('a parked reversal', () => {
  it('that was dismissed is listed again for later refunds and reinstatements', async () => {
    const buyer = await card.buyer()
    const intent = await card.topUp(buyer)
    const dispute = processor.dispute(intent, null)
    processor.refund(intent, 2_000)
    await card.intentEvent(intent)
    const [payment] = await card.rows('select id from payments where customer_id = $1', [buyer.id])
    const dismiss = async (amount_cents: number, token = registrar.operatorKey) => {
      const body = { payment_id: payment?.id, amount_cents, reason: 'Written off' }
      const path = '/v1/internal/billing/parked-card-reversals/dismiss'
      return registrar.request('POST', path, { token, body })
    }
    const denied = await dismiss(2_000, buyer.key)
    const other = await dismiss(1_999)
    assert.deepEqual([denied.status, other.body.code], [403, 'card_reversal_not_parked'])
    assert.deepEqual(await parkedReversals(buyer), [['25.00', '20.00']])
    assert.equal((await dismiss(2_000)).body.parked_amount, '0.00')
    await card.intentEvent(intent)
    assert.deepEqual(await parkedReversals(buyer), [])
    assert.equal((await dismiss(0)).body.code, 'card_reversal_not_parked')
    processor.refund(intent, 100)
    await card.intentEvent(intent)
    assert.deepEqual(await parkedReversals(buyer), [['25.00', '1.00']])
    processor.closeDispute(dispute.id, 'won')
    await card.intentEvent(intent, 'charge.dispute.closed')
    assert.deepEqual(await parkedReversals(buyer), [['25.00', '-20.00']])
    assert.equal((await dismiss(-2_000)).status, 200)
    const logs = `/v1/customers/${buyer.id}/audit-logs?action=dismiss_parked_card_reversal`
    const { body } = await registrar.request('GET', logs, { token: buyer.key })
    assert.deepEqual(
      body.audit_logs.slice(0, 2).map(({ metadata }: { metadata: unknown }) => metadata),
      [-2_000, 2_000].map((amount_cents) => ({
        ...{ amount_cents, currency: 'USD', reason: 'Written off' },
      })),
    )
  })
})

it('the health of the service says that the processor cannot be reached', async () => {
  const buyer = await card.buyer()
  const { session } = await card.open(buyer)
  const processorNow = async () => (await registrar.request('GET', '/v1/health')).body.processor
  processor.setFault({ name: 'fail_500', command: 'session:read' })
  await card.sessionEvent(session)
  const stripe = { name: 'stripe', simulated: true }
  assert.deepEqual(await processorNow(), { ...stripe, state: 'down', detail: 'answered 500' })
  await card.sessionEvent(session)
  assert.deepEqual(await processorNow(), { ...stripe, state: 'up', detail: null })
})

it('neither customers nor outsiders have the right to credit', async () => {
  const buyer = await card.buyer()
  const { id, session } = await card.open(buyer)
  const facts = factsOf(buyer, session)
  const denied = await report(facts, buyer.key)
  assert.deepEqual([denied.status, denied.body.code], [403, 'operator_only'])
  const outside = await registrar.request('POST', credits, { body: facts })
  assert.equal(outside.status, 401)
  processor.pay(session)
  const object = { object: 'checkout.session', id: session, payment_status: 'paid' }
  const forged = await card.send('checkout.session.completed', object, 'whsec_of_another')
  assert.deepEqual([forged.status, forged.body.code], [401, 'webhook_signature_invalid'])
  const bare = await registrar.request('POST', '/v1/billing/processor/webhook', { body: object })
  assert.equal(bare.status, 401)
  assert.equal((await card.read(buyer, id)).body.status, 'open')
  assert.equal((await card.balance(buyer)).available, '0.00')
})

it('one payment intent under another session is refused or parked', async () => {
  const buyer = await card.buyer()
  const intent = await card.topUp(buyer)
  const body = { ...factsOf(buyer, 'cs_other'), processor_payment_intent_id: intent }
  const { status, body: problem } = await report(body)
  assert.deepEqual([status, problem.code], [409, 'top_up_conflict'])
  const [one, two] = [await card.open(buyer), await card.open(buyer)]
  for (const { session } of [one, two]) {
    processor.pay(session)
    processor.setFault({ name: 'other_intent', command: 'session:read' })
    assert.equal((await card.sessionEvent(session)).status, 200)
  }
  const states = [await card.read(buyer, one.id), await card.read(buyer, two.id)]
  assert.deepEqual(
    states.map((state) => state.body.status),
    ['paid', 'parked'],
  )
  assert.equal((await card.balance(buyer)).available, '50.00')
})
