// The Stripe adapter, through the official library, against the simulated Stripe.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, afterEach, describe, it } from 'node:test'
import { startProcessor } from '../../../sandbox/processor/index.ts'
import { Clock } from '../../../sandbox/support/sandbox-clock.ts'
import { ProcessorUnavailable, type SessionRequest } from './port.ts'
import { openStripe, type StripeProfile } from './stripe.ts'

const server = await startProcessor({
  clock: new Clock(Date.now, null),
  file: null,
  redelivery_ms: [],
  report: (error) => assert.fail(String(error)),
})
after(() => server.close())
afterEach(() => server.clearFaults())

const open = (own: Partial<StripeProfile> = {}, timeout_ms = 2_000) =>
  openStripe(
    { secret_key: server.api_key, webhook_secret: 'whsec_1', url: server.base_url, ...own },
    timeout_ms,
  )
const stripe = open()

let count = 0
function request(own: Partial<SessionRequest> = {}): SessionRequest {
  count += 1
  return {
    idempotency_key: `top-up-${count}`,
    customer_id: 'cus_1',
    checkout_id: `chk_${count}`,
    amount_cents: 2_500n,
    currency: 'USD',
    description: 'Top-up of your balance',
    success_url: 'https://registrar.example/top-ups/{CHECKOUT_SESSION_ID}',
    cancel_url: 'https://registrar.example/top-ups',
    expires_at: new Date(Date.now() + 3_600_000),
    ...own,
  }
}

/** Fails with ProcessorUnavailable, whose chain of causes never contains the key. */
async function unavailable(call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ProcessorUnavailable, String(error))
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      assert.ok(!`${cause.message}${cause.stack}`.includes(server.api_key))
    return true
  })
}

async function paid(cents = 2_500n): Promise<string> {
  const { id } = await stripe.openSession(request({ amount_cents: cents }))
  return server.pay(id).id
}

describe('sessions', () => {
  it('are opened with customer, checkout and amount, and read back when paid', async () => {
    const asked = request({ currency: 'EUR', amount_cents: 12_345n })
    const opened = await stripe.openSession(asked)
    const { customer_id, checkout_id, amount_cents, currency } = asked
    const known = { amount_cents, currency, unknown_word: null }
    const facts = { id: opened.id, customer_id, checkout_id, ...known }
    const url = `${server.base_url}/c/pay/${opened.id}`
    const fresh = { status: 'open', is_paid: false, has_failed: false, payment_intent: null, url }
    assert.deepEqual(opened, { ...facts, ...fresh })
    const intent = server.pay(opened.id)
    const complete = { status: 'complete', is_paid: true, has_failed: false, url: null }
    const paid_now = { ...facts, ...complete, payment_intent: intent.id }
    assert.deepEqual(await stripe.readSession(opened.id), paid_now)
    const [session] = server.sessions().filter(({ id }) => id === opened.id)
    assert.deepEqual(session?.metadata, { customer_id, checkout_id })
  })

  it('are one for each idempotency key, also when the first answer was lost', async () => {
    const asked = request()
    for (const name of ['lost_500', 'drop_after', 'half_answer'] as const) {
      server.setFault({ name, command: 'session:create' })
      await unavailable(stripe.openSession(asked))
    }
    const first = await stripe.openSession(asked)
    assert.deepEqual(await stripe.openSession(asked), first)
    const own = server
      .sessions()
      .filter(({ metadata }) => metadata.checkout_id === asked.checkout_id)
    assert.deepEqual(
      own.map(({ id }) => id),
      [first.id],
    )
    await unavailable(stripe.openSession({ ...asked, amount_cents: 2_501n }))
  })

  it('are complete, and not paid, while a bank debit takes days', async () => {
    const { id } = await stripe.openSession(request())
    const intent = server.pay(id, true)
    const waiting = await stripe.readSession(id)
    assert.deepEqual([waiting?.status, waiting?.is_paid], ['complete', false])
    server.settle(intent.id, true)
    assert.equal((await stripe.readSession(id))?.is_paid, true)
  })

  it('have failed once the debit has, and not before', async () => {
    const { id } = await stripe.openSession(request())
    const intent = server.pay(id, true)
    assert.equal((await stripe.readSession(id))?.has_failed, false)
    server.settle(intent.id, false)
    const failed = await stripe.readSession(id)
    assert.deepEqual(
      [failed?.status, failed?.is_paid, failed?.has_failed],
      ['complete', false, true],
    )
  })

  it('can be expired once, and are null where the processor knows none', async () => {
    const { id } = await stripe.openSession(request())
    assert.equal((await stripe.expireSession(id)).status, 'expired')
    await unavailable(stripe.expireSession(id))
    assert.equal(await stripe.readSession('cs_test_none'), null)
    assert.equal((await stripe.readSession(id))?.url, null)
  })

  it('are refused below the least amount', async () => {
    await unavailable(stripe.openSession(request({ amount_cents: stripe.least_cents - 1n })))
    await stripe.openSession(request({ amount_cents: stripe.least_cents }))
  })
})

describe('refunds and disputes', () => {
  it('are listed in full, oldest first, over pages', async () => {
    const intent = await paid(20_000n)
    for (let i = 0; i < 101; i += 1) server.refund(intent, i + 1)
    server.failRefund(server.refund(intent, 7).id)
    const refunds = await stripe.refunds(intent)
    assert.equal(refunds.length, 102)
    assert.deepEqual(
      refunds.slice(0, 101).map(({ amount_cents, funds }) => [amount_cents, funds]),
      Array.from({ length: 101 }, (_, i) => [BigInt(i + 1), 'withdrawn']),
    )
    assert.deepEqual([refunds[101]?.amount_cents, refunds[101]?.funds], [7n, 'returned'])
    assert.deepEqual(await stripe.refunds('pi_none'), [])
  })

  it('distinguish withdrawn money, an inquiry, and a dispute that was won', async () => {
    const intent = await paid()
    const facts = async () =>
      (await stripe.disputes(intent)).map(({ funds, is_final }) => [funds, is_final])
    const inquiry = server.dispute(intent, null, true)
    assert.deepEqual(await facts(), [['untouched', false]])
    server.closeDispute(inquiry.id, 'won')
    const { id } = server.dispute(intent, 1_000)
    assert.deepEqual(await facts(), [
      ['returned', true],
      ['withdrawn', false],
    ])
    server.closeDispute(id, 'lost')
    assert.deepEqual((await facts())[1], ['withdrawn', true])
  })
})

describe('answers that cannot be right', () => {
  const faults = [
    'fail_500',
    'half_answer',
    'drop_after',
    'garbage',
    'huge',
    'redirect',
    'rate_limited',
    'fraction',
    'other_id',
  ] as const
  for (const name of faults)
    it(`${name}: nothing is known`, async () => {
      const { id } = await stripe.openSession(request())
      server.setFault({ name })
      await unavailable(stripe.readSession(id))
      assert.equal(server.followed(), 0)
      assert.equal((await stripe.readSession(id))?.id, id)
    })

  it('silence and slowness end in time, and a refused key is no answer', async () => {
    server.setFault({ name: 'silent', command: 'session:read' })
    server.setFault({ name: 'slow', delay_ms: 1_000, command: 'session:read' })
    await unavailable(open({}, 50).readSession('cs_test_1'))
    await unavailable(open({}, 50).readSession('cs_test_1'))
    await unavailable(open({ secret_key: 'sk_test_another' }).readSession('cs_test_1'))
    await unavailable(open({ url: 'http://127.0.0.1:1' }).readSession('cs_test_1'))
  })

  it('health is that of the last answer, and an absent session is no problem', async () => {
    const own = open()
    assert.deepEqual(own.health(), { state: 'idle', trouble: null })
    server.setFault({ name: 'fail_500' })
    await unavailable(own.readSession('cs_test_1'))
    assert.deepEqual(own.health(), { state: 'down', trouble: 'answered 500' })
    assert.equal(await own.readSession('cs_test_unknown'), null)
    assert.deepEqual(own.health(), { state: 'up', trouble: null })
    for (const [place, trouble] of [
      [{ secret_key: 'sk_test_another' }, 'answered 401'],
      [{ url: 'http://127.0.0.1:1' }, 'does not respond'],
    ] as const) {
      const other = open(place)
      await unavailable(other.readSession('cs_test_1'))
      assert.deepEqual(other.health(), { state: 'down', trouble })
    }
  })

  it('another amount, currency, intent or a list without end is not believed', async () => {
    for (const name of ['wrong_amount', 'other_currency'] as const) {
      server.setFault({ name })
      await unavailable(stripe.openSession(request()))
    }
    const intent = await paid()
    server.refund(intent, 1)
    server.dispute(intent, 1)
    server.setFault({ name: 'other_intent', times: 2 })
    await unavailable(stripe.refunds(intent))
    await unavailable(stripe.disputes(intent))
    server.setFault({ name: 'endless_list', times: null })
    await unavailable(stripe.refunds(intent))
  })
})

describe('events', () => {
  const received: { raw: Buffer; signature: string }[] = []
  const listener = createServer((incoming, response) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const signature = String(incoming.headers['stripe-signature'])
      received.push({ raw: Buffer.concat(parts), signature })
      response.end()
    })
  })

  it('name their session or payment intent, when they are signed', async () => {
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    after(() => listener.close())
    server.setEndpoint(`http://127.0.0.1:${Object(listener.address()).port}/`, 'whsec_1')
    const { id } = await stripe.openSession(request())
    const intent = server.pay(id).id
    server.refund(intent, 100)
    server.closeDispute(server.dispute(intent, 200).id, 'won')
    await server.webhooksSent()
    const events = []
    for (const { raw, signature } of received) {
      const event = await stripe.readEvent(raw, signature)
      events.push([event?.type, event?.session_id, event?.payment_intent])
    }
    assert.deepEqual(events.sort(), [
      ['charge.dispute.closed', null, intent],
      ['charge.dispute.created', null, intent],
      ['charge.refunded', null, intent],
      ['checkout.session.completed', id, null],
      ['refund.created', null, intent],
    ])
  })

  it('are refused with another secret, body or time, and where no secret is set', async () => {
    const [first] = received
    assert.ok(first)
    const { raw, signature } = first
    assert.notEqual(await stripe.readEvent(raw, signature), null)
    const changed = Buffer.from(raw.toString().replace('evt_', 'evt_0'))
    assert.equal(await stripe.readEvent(changed, signature), null)
    for (const wrong of ['', 't=1', 'v1=00', signature.replace(/^t=\d+/, 't=1700000000')])
      assert.equal(await stripe.readEvent(raw, wrong), null, wrong)
    assert.equal(await open({ webhook_secret: 'whsec_2' }).readEvent(raw, signature), null)
    assert.equal(await open({ webhook_secret: null }).readEvent(raw, signature), null)
    const old = Math.floor(Date.now() / 1_000) - 600
    const mac = createHmac('sha256', 'whsec_1').update(`${old}.${raw}`).digest('hex')
    assert.equal(await stripe.readEvent(raw, `t=${old},v1=${mac}`), null)
  })

  it('of test mode are none for a live key', async () => {
    const [first] = received
    assert.ok(first)
    const live = open({ secret_key: 'sk_live_1' })
    assert.equal(await live.readEvent(first.raw, first.signature), null)
  })
})
