// Top-ups by card whose node is killed at each step. The event comes again, the job reads, or the
// customer asks, at another node: one session, one credit, one document, and each refund once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startProcessor } from '../../sandbox/processor/index.ts'
import { Clock } from '../../sandbox/support/sandbox-clock.ts'
import {
  cardPayments,
  signedEvent,
  webhook,
} from '../../src/capabilities/top-ups/card/card-payments.fixture.ts'
import { webhookSecret } from '../support/payments/stripe-signature.ts'
import type { TestCustomer } from '../support/service.ts'
import type { Receipt } from './auditor/auditor-input.ts'
import { startSetup } from './support/disaster-setup.ts'
import type { RunningNode } from './support/nodes.ts'

const processor = await startProcessor({
  clock: new Clock(Date.now, null),
  file: null,
  redelivery_ms: [],
  report: (error) => assert.fail(String(error)),
})
after(() => processor.close())
const setup = await startSetup({
  receipts: () => ({ processor: kept() }),
  settings: {
    STRIPE_SECRET_KEY: processor.api_key,
    STRIPE_API_URL: processor.base_url,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  },
})
const { registrar, query } = setup
const card = cardPayments(registrar, processor)

/** The processor's own records: the amount paid less the amount refunded. */
function kept(): Receipt[] {
  return processor.payments().flatMap(({ id, status, amount, refunds }) => {
    const refunded = refunds.filter((one) => one.status === 'succeeded')
    const amounts = status === 'succeeded' ? [amount, ...refunded.map((one) => -one.amount)] : []
    return amounts.map((cents) => ({ reference: id, cents: BigInt(cents) }))
  })
}

const credits = '/v1/internal/billing/processor/top-ups'

type Sent = { path: string; token?: string; body: object; headers?: Record<string, string> }

/** A request whose answer may never come. */
async function post(url: string, { path, token, body, headers }: Sent): Promise<number | null> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization, ...headers },
    body: JSON.stringify(body),
  }).catch(() => null)
  return response?.status ?? null
}

const checkoutsOf = ({ id }: TestCustomer) => `/v1/customers/${id}/billing/processor/checkouts`
const sessionEvent = (id: string): Sent => {
  const object = { object: 'checkout.session', id }
  return { path: webhook, ...signedEvent('checkout.session.completed', object) }
}
const refundEvent = (payment_intent: string): Sent => {
  return { path: webhook, ...signedEvent('charge.refunded', { object: 'charge', payment_intent }) }
}
const reportOf = ({ id }: TestCustomer, session: string): Sent => {
  const facts = { customer_id: id, amount_cents: 2_500, currency: 'USD' }
  const body = { ...facts, processor_checkout_session_id: session }
  return { path: credits, token: registrar.operatorKey, body }
}

/** Kills the node by its crash point while it works on the request, or on its own tasks. */
async function die(node: RunningNode, sent: Sent | null): Promise<void> {
  if (sent) assert.equal(await post(node.url, sent), null, 'no answer comes')
  assert.ok(await node.dies(), 'it dies at its step')
}

async function assertPaidOnce(buyer: TestCustomer, available: string): Promise<void> {
  const sessions = processor.sessions().filter((one) => one.client_reference_id === buyer.id)
  assert.equal(sessions.length, 1)
  assert.deepEqual(await card.balance(buyer), { available, owed: '0.00' })
  const documents = [['invoice', '25.00']]
  if (available === '18.00') documents.unshift(['credit_note', '7.00'])
  assert.deepEqual(await card.invoices(buyer), documents)
  const [payments] = await query(
    `select count(*)::int as payments, count(c.id)::int as checkouts
       from payments p left join card_checkouts c on c.payment_id = p.id and c.status = 'paid'
      where p.customer_id = $1`,
    [buyer.id],
  )
  assert.deepEqual(payments, { payments: 1, checkouts: 1 })
  assert.deepEqual((await setup.audit()).violations, [])
}

/** Every way in which a payment is learned of, at the node that stays alive. */
async function recover(buyer: TestCustomer, session: string): Promise<void> {
  await query('update tasks set run_at = now(), lease_until = null where kind like $1', [
    'read_card%',
  ])
  await Promise.all([post(registrar.url, sessionEvent(session)), card.runJobs()])
  const { body } = await card.list(buyer)
  await card.evictReading(body.checkouts[0].id)
  assert.equal((await card.read(buyer, body.checkouts[0].id)).body.status, 'paid')
}

const openings = ['card_checkout_stored', 'card_session_opened']
const crediting = ['card_session_read', 'card_before_credit', 'card_after_credit']
const reversing = ['card_reversals_read', 'card_reversals_posted']

for (const point of openings)
  test(`a checkout whose opening dies at ${point} is opened by its next reading`, async () => {
    const [buyer, node] = await Promise.all([card.buyer(), setup.node({ crash_at: point })])
    const body = { amount_cents: 2_500 }
    await die(node, { path: checkoutsOf(buyer), token: buyer.key, body })
    const { body: list } = await card.list(buyer)
    const [{ id, status }] = list.checkouts
    assert.equal(status, 'opening')
    const { body: opened } = await card.read(buyer, id)
    assert.equal(opened.status, 'open')
    const session = String(opened.url).split('/').at(-1) ?? ''
    processor.pay(session)
    await recover(buyer, session)
    await assertPaidOnce(buyer, '25.00')
  })

for (const point of crediting)
  test(`a payment whose event dies at ${point} is credited once`, async () => {
    const [buyer, node] = await Promise.all([card.buyer(), setup.node({ crash_at: point })])
    const { session } = await card.open(buyer)
    processor.pay(session)
    await die(node, sessionEvent(session))
    await recover(buyer, session)
    await assertPaidOnce(buyer, '25.00')
  })

test('a payment whose task or report dies is credited once', async () => {
  const [read, reported, reading, reporting] = await Promise.all([
    card.buyer(),
    card.buyer(),
    setup.node({ crash_at: 'card_before_credit', worker: true }),
    setup.node({ crash_at: 'card_after_credit' }),
  ])
  const [one, two] = [await card.open(read), await card.open(reported)]
  for (const { session } of [one, two]) processor.pay(session)
  await query('update tasks set run_at = now() where key = $1', [one.id])
  await die(reading, null)
  await die(reporting, reportOf(reported, two.session))
  for (const [buyer, { session }] of [[read, one] as const, [reported, two] as const]) {
    assert.equal(await post(registrar.url, reportOf(buyer, session)), 200)
    await recover(buyer, session)
    await assertPaidOnce(buyer, '25.00')
  }
})

for (const point of reversing)
  test(`a refund whose event dies at ${point} is posted once`, async () => {
    const [buyer, node] = await Promise.all([card.buyer(), setup.node({ crash_at: point })])
    const intent = await card.topUp(buyer)
    processor.refund(intent, 700)
    await die(node, refundEvent(intent))
    const all = Array.from({ length: 4 }, () => post(registrar.url, refundEvent(intent)))
    await Promise.all([...all, card.runJobs()])
    await assertPaidOnce(buyer, '18.00')
  })

test('events, reports, readings and jobs race at two nodes: one credit, one refund', async () => {
  const node = await setup.node({ worker: true })
  for (let round = 0; round < 5; round += 1) {
    const buyer = await card.buyer()
    const { session } = await card.open(buyer)
    const { id: intent } = processor.pay(session)
    processor.refund(intent, 700)
    const race = [registrar.url, node.url].flatMap((url) => [
      post(url, sessionEvent(session)),
      post(url, reportOf(buyer, session)),
      post(url, refundEvent(intent)),
      post(url, sessionEvent(session)),
    ])
    await query('update tasks set run_at = now() where kind like $1', ['read_card%'])
    for (const status of await Promise.all([...race, card.runJobs()]))
      assert.ok(status === 200 || status === undefined, String(status))
    await Promise.all([node.url, registrar.url].map((url) => post(url, refundEvent(intent))))
    await assertPaidOnce(buyer, '18.00')
  }
  await node.kill()
})
