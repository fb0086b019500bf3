// Top-ups through a payment gateway: nodes that are killed at each step, and deliveries in random
// order and number at two nodes. No cent differs from the gateway's own payments.
// bin/payments-storm runs both with larger numbers.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startGateway } from '../../sandbox/gateway/index.ts'
import { Clock } from '../../sandbox/support/sandbox-clock.ts'
import { webhookToken } from '../support/node.ts'
import type { TestCustomer } from '../support/service.ts'
import type { Receipt } from './auditor/auditor-input.ts'
import { startSetup } from './support/disaster-setup.ts'
import type { RunningNode } from './support/nodes.ts'
import { inParallel } from './support/parallel.ts'
import { chanceOf } from './support/seeded-random.ts'

const numberOf = (name: string, preset: number) => Number(process.env[name] ?? preset)
const deliveries = numberOf('STORM_DELIVERIES', 600)
const runs = numberOf('STORM_RUNS', 6)
const seed = numberOf('STORM_SEED', 1)
const limits = {
  kills: { timeout: 60_000 + runs * 15_000 },
  deliveries: { timeout: 90_000 + deliveries * 100 },
}

const gateway = await startGateway({
  clock: new Clock(Date.now, null),
  file: null,
  redelivery_ms: [],
  report: (error) => assert.fail(String(error)),
})
after(() => gateway.close())
/** Receipts that the gateway does not have: for the negative control. */
const forged: Receipt[] = []
const setup = await startSetup({
  receipts: () => ({ gateway: [...settled(), ...forged] }),
  settings: {
    GATEWAY: 'btcpay',
    BTCPAY_URL: gateway.base_url,
    BTCPAY_STORE_ID: gateway.store_id,
    BTCPAY_API_KEY: gateway.api_key,
    BTCPAY_METHODS: 'USDC-BASE=USDC/base/6/USD',
    GATEWAY_WEBHOOK_TOKEN: webhookToken,
    CHECKOUT_WATCH_SECONDS: '1',
  },
})
const { registrar, query } = setup
const method = 'USDC-BASE'
/** The base units of a cent. */
const cent = 10_000n

type Sent = { path: string; body: object; token?: string }
type Answer = { status: number; id: string | null }

/** The answer, or null if its node died before it answered. */
async function post(url: string, { path, body: sent, token = '' }: Sent): Promise<Answer | null> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(sent),
  }).catch(() => null)
  if (!response) return null
  const body = Object(await response.json().catch(() => null))
  return { status: response.status, id: typeof body.id === 'string' ? body.id : null }
}

const checkoutsOf = ({ id }: TestCustomer) => `/v1/customers/${id}/billing/gateway/checkouts`
const asked = { amount_cents: 2_500, currency: 'USD', asset: 'USDC' }
const creating = (customer: TestCustomer): Sent => {
  return { path: checkoutsOf(customer), body: asked, token: customer.key }
}
const buyer = () =>
  registrar.customer({ funds_cents: 0, contact: false, scopes: ['billing:write'] })

type Opened = { id: string; reference: string; customer: TestCustomer }

async function open(customer: TestCustomer): Promise<Opened> {
  const made = await post(registrar.url, creating(customer))
  assert.equal(made?.status, 200)
  const id = made?.id ?? ''
  return { id, reference: referenceOf(id), customer }
}

const invoicesOf = (checkout: string) =>
  gateway.invoices().filter(({ metadata }) => metadata.orderId === checkout)
const referenceOf = (checkout: string) => invoicesOf(checkout)[0]?.id ?? ''

/** The ways in which a payment is reported. */
const ways = {
  webhook: (url: string, { reference }: Opened) =>
    post(url, {
      path: `/v1/billing/gateway/webhook?token=${webhookToken}`,
      body: { invoiceId: reference },
    }),
  report: (url: string, { id, customer }: Opened) =>
    post(url, {
      path: `${checkoutsOf(customer)}/${id}/report`,
      body: { transaction_id: 'tx' },
      token: customer.key,
    }),
  check: (url: string, { id, customer }: Opened) =>
    post(url, {
      path: '/v1/billing/payments/check',
      body: { checkout_id: id },
      token: customer.key,
    }),
} as const

/** The gateway's own records: each payment that it has settled, in whole cents. */
function settled(): Receipt[] {
  return gateway
    .payments()
    .filter(({ status }) => status === 'Settled')
    .map(({ invoice_id, units }) => ({ reference: invoice_id, cents: BigInt(units) / cent }))
}

function paid({ reference }: Opened): bigint {
  const own = settled().filter((one) => one.reference === reference)
  return own.reduce((sum, { cents }) => sum + cents, 0n)
}

/** Balances, documents and payments, compared with the gateway's own payments. */
async function assertExact(all: readonly Opened[]): Promise<void> {
  const rows = await query(
    `select c.customer_id as id, c.available - c.owed as balance,
            (select coalesce(sum(case kind when 'invoice' then total_amount
                                           else -total_amount end), 0)::bigint
               from invoices i where i.customer_id = c.customer_id) as documented
       from ledger_accounts c where c.customer_id = any ($1) and c.currency = 'USD'`,
    [[...new Set(all.map(({ customer }) => customer.id))]],
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const [id, own] of Map.groupBy(all, ({ customer }) => customer.id)) {
    const expected = own.reduce((sum, one) => sum + paid(one), 0n)
    const row = found.get(id)
    assert.equal(BigInt(String(row?.balance ?? 0)), expected, `balance of ${id}`)
    assert.equal(BigInt(String(row?.documented ?? 0)), expected, `documents of ${id}`)
  }
  assert.deepEqual((await setup.audit()).violations, [])
}

const points = [
  ...['checkout_opened', 'checkout_started'],
  ...['payments_observed', 'before_checkout_commit', 'checkout_settled'],
] as const
type Point = (typeof points)[number]

/** Payments of these change in the second test as well. */
const killed: Opened[] = []

async function killedAt(point: Point, node: RunningNode): Promise<Opened> {
  const customer = await buyer()
  if (point === 'checkout_opened' || point === 'checkout_started') {
    assert.equal(await post(node.url, creating(customer)), null)
    const [row] = await query('select id from checkouts where customer_id = $1', [customer.id])
    const id = String(row?.id)
    const start = `${checkoutsOf(customer)}/${id}/start`
    const body = { asset: 'USDC' }
    const again = await post(registrar.url, { path: start, body, token: customer.key })
    assert.equal(again?.status, 200)
    assert.equal(invoicesOf(id).length, 1, 'one invoice of a checkout')
    const opened = { id, reference: referenceOf(id), customer }
    gateway.confirm(gateway.pay(opened.reference, method, 2_500n * cent).id)
    return opened
  }
  const opened = await open(customer)
  gateway.confirm(gateway.pay(opened.reference, method, 2_500n * cent).id)
  assert.equal(await ways.webhook(node.url, opened), null)
  return opened
}

test(`${runs} nodes that are killed at a step: one credit each`, limits.kills, async () => {
  const chance = chanceOf(seed)
  const some = Array.from(
    { length: runs },
    (_, at) => points[at % points.length] ?? 'checkout_opened',
  )
  await inParallel(chance.shuffled(some), 2, async (crash_at) => {
    const node = await setup.node({ crash_at })
    const opened = await killedAt(crash_at, node)
    assert.ok(await node.dies(), `it dies at ${crash_at}`)
    const race = [ways.webhook, ways.report, ways.check, ways.webhook]
    const answers = await Promise.all(race.map((way) => way(registrar.url, opened)))
    assert.deepEqual(
      answers.map((one) => one?.status),
      [200, 200, 200, 200],
    )
    killed.push(opened)
  })
  await assertExact(killed)
})

test(`${deliveries} deliveries at two nodes: no cent differs`, limits.deliveries, async () => {
  const chance = chanceOf(seed)
  const node = await setup.node({ worker: true })
  const urls = [registrar.url, node.url]
  const count = Math.min(200, Math.ceil(deliveries / 20))
  const customers = await Promise.all(Array.from({ length: Math.ceil(count / 10) }, buyer))
  const all: Opened[] = []
  for (let at = 0; at < count; at += 1) all.push(await open(chance.pick(customers)))
  const movements = [
    ...all.flatMap((one) => [() => gateway.pay(one.reference, method, 2_500n * cent)]),
    ...all.map((one) => () => {
      gateway.pay(one.reference, method, BigInt(1 + chance.below(40_000_000)))
    }),
  ]
  const change = () => {
    const payment = chance.pick(gateway.payments())
    if (chance.next() < 0.8) gateway.confirm(payment.id)
    else gateway.drop(payment.id)
  }
  for (const move of movements.splice(0, count)) move()
  const names = ['webhook', 'webhook', 'webhook', 'report', 'check'] as const
  const statuses = new Map<number, number>()
  const tasks = Array.from({ length: deliveries }, (_, at) => at)
  await inParallel(tasks, 24, async (at) => {
    if (at % 4 === 0) movements.pop()?.()
    if (at % 2 === 0) change()
    const answer = await ways[chance.pick(names)](chance.pick(urls), chance.pick(all))
    const status = answer?.status ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  })
  assert.deepEqual([...statuses.keys()], [200])
  // A payment that was dropped after its credit is taken back after three readings.
  for (let reading = 0; reading < 4; reading += 1)
    await inParallel([...all, ...killed], 8, async (one) => {
      assert.equal((await ways.report(chance.pick(urls), one))?.status, 200)
    })
  await assertExact([...all, ...killed])
  await node.kill()
})

test('the auditor finds a payment that is not credited, and a credit without a payment', async () => {
  const [one] = settled()
  assert.ok(one)
  const { reference } = one
  const findings = async () =>
    (await setup.audit()).violations.filter((line) => line.startsWith('I10'))
  forged.push({ reference, cents: 1n }, { reference: 'unknown', cents: 5n })
  const found = (await findings()).join('\n')
  assert.match(found, new RegExp(`gateway ${reference}: received \\d+, credited \\d+`))
  assert.match(found, /gateway unknown: received 5, credited undefined/)
  forged.splice(0, 2, { reference, cents: -1n })
  assert.equal((await findings()).length, 1)
  forged.pop()
  assert.deepEqual(await findings(), [])
})
