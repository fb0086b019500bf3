// Hints of payments against the simulated BTCPay Server: webhooks, reports and the watch, each with
// its faults. A gateway that is away when a checkout is opened is in checkouts.test.ts.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { afterEach, describe, it } from 'node:test'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { startService } from '../../../../test/support/service.ts'
import { gatewayService, webhookSecret } from './checkouts.fixture.ts'

const top_ups = await gatewayService({ settings: { CHECKOUT_WATCH_SECONDS: '1' } })
const { gateway, open, pay, read, report, hook, balance, alarms } = top_ups
const query = rowsIn(top_ups)

afterEach(() => gateway.clearFaults())

const path = '/v1/billing/gateway/webhook'
const settled = (invoiceId: string) => ({ type: 'InvoiceSettled', invoiceId })
const signed = (secret: string, body: object) => ({
  'btcpay-sig': `sha256=${createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex')}`,
})
const readings = () => gateway.counters().commands['methods:read']?.received ?? 0

/** The service's clock may be a little behind the database's: `now()` is then still to come. */
const due = "now() - interval '1 minute'"

/** As if a checkout's time to pay were over since yesterday. */
const expire = ({ id }: { id: string }) =>
  query(
    `update checkouts set expires_at = now() - interval '1 day', settle_at = ${due} where id = $1`,
    [id],
  )
const settleNow = async ({ id }: { id: string }) => {
  await query(`update checkouts set settle_at = ${due} where id = $1`, [id])
  await top_ups.settle()
}
const watchNow = (...all: readonly { id: string }[]) =>
  query(`update checkouts set look_at = ${due} where id = any ($1)`, [all.map(({ id }) => id)])

/** Why calls about it were distrusted, as operators find it in the audit log. */
async function distrusted(target: string): Promise<string> {
  const rows = await query(
    `select error_code from audit_logs where action = 'receive_gateway_webhook' and target = $1`,
    [target],
  )
  return rows.map(({ error_code }) => error_code).join(' ')
}

describe('the webhook', () => {
  it('credits once for a hundred deliveries, and reads little', async () => {
    const opened = await open()
    pay(opened)
    const before = readings()
    for (let round = 0; round < 5; round += 1) {
      const many = await Promise.all(
        Array.from({ length: 20 }, () => hook(settled(opened.reference))),
      )
      assert.deepEqual(new Set(many.map(({ status }) => status)), new Set([200]))
    }
    assert.deepEqual(await balance(opened.customer), ['25.00', '0.00'])
    assert.equal((await top_ups.invoices(opened.customer)).length, 1)
    assert.ok(readings() - before < 10)
  })

  it('believes no body, and shows a forged one to operators', async () => {
    const opened = await open()
    const before = alarms('gateway_webhook_distrusted').length
    assert.equal((await hook(settled(opened.reference))).status, 200)
    assert.deepEqual(await balance(opened.customer), ['0.00', '0.00'])
    assert.equal(await distrusted(opened.id), 'webhook_contradicted')
    assert.ok(alarms('gateway_webhook_distrusted').length > before)
    const forged = await hook(settled(opened.reference), {
      headers: signed('another-secret', settled(opened.reference)),
    })
    assert.deepEqual([forged.status, forged.body.code], [401, 'webhook_token_invalid'])
  })

  it('refuses every other token, changes nothing, and logs none', async () => {
    const opened = await open()
    pay(opened)
    const long = 'x'.repeat(100_000)
    const queries = ['', '?token=', '?token=guessed-token', '?token[]=guessed-token']
    queries.push('?token=guessed-token&token=token-of-the-webhook', `?token=${long}`)
    const statuses: number[] = []
    for (const query of queries) {
      const body = settled(opened.reference)
      statuses.push((await top_ups.request('POST', `${path}${query}`, { body })).status)
    }
    assert.deepEqual(statuses, [401, 401, 401, 422, 422, 431])
    assert.equal((await read(opened)).status, 'awaiting_payment')
    const logged = top_ups.logs.join('\n')
    assert.ok(logged.includes(path))
    for (const secret of ['guessed-token', 'token-of-the-webhook', 'xxxxxxxxxx'])
      assert.ok(!logged.includes(secret), secret)
    const rows = await query('select row_to_json(a)::text as text from audit_logs a')
    assert.ok(!rows.some(({ text }) => text.includes('token-of-the-webhook')))
  })

  it('is 503 without a token of its own, whatever token is sent', async () => {
    const bare = await startService({ worker: false, settings: { GATEWAY_WEBHOOK_TOKEN: '' } })
    for (const query of ['', '?token=', '?token=any']) {
      const { status, body } = await bare.request('POST', `${path}${query}`, { body: {} })
      assert.deepEqual([status, body.code], [503, 'not_configured'])
    }
  })
})

describe('a delivery of the webhook', () => {
  it('credits what the gateway shows, whatever more the body claims', async () => {
    const opened = await open({ amount_cents: 10_000 })
    const paid = pay(opened)
    const payment = { id: paid.id, value: '10000.000000', status: 'Settled' }
    await hook({ ...settled(opened.reference), amount: '10000.00', payment })
    assert.deepEqual(await balance(opened.customer), ['100.00', '0.00'])
    assert.equal(await distrusted(opened.id), 'webhook_contradicted')
  })

  it('answers the same for a checkout that is not there, with an alarm', async () => {
    const { status, body } = await hook(settled('absent-invoice'))
    assert.deepEqual([status, body], [200, { received: true }])
    assert.equal(await distrusted('absent-invoice'), 'checkout_not_found')
  })

  it('credits nothing for a delivery that is repeated, however old', async () => {
    const opened = await open()
    pay(opened)
    const body = { ...settled(opened.reference), storeId: gateway.store_id }
    const headers = signed(webhookSecret, body)
    assert.equal((await hook(body, { headers })).status, 200)
    await query("update payments set created_at = now() - interval '30 days'")
    await query("update checkout_payments set watched_until = now() - interval '29 days'")
    assert.equal((await hook(body, { headers })).status, 200)
    assert.equal((await report(opened)).body.credited_amount, '25.00')
    assert.deepEqual(await balance(opened.customer), ['25.00', '0.00'])
  })

  it('is 503 while the gateway cannot be read, and credits when it is sent again', async () => {
    for (const name of ['fail_500', 'half_answer', 'redirect', 'huge'] as const) {
      const opened = await open()
      pay(opened)
      gateway.setFault({ name, command: 'methods:read' })
      const { status, body } = await hook(settled(opened.reference))
      assert.deepEqual([status, body.code], [503, 'gateway_unavailable'], name)
      assert.equal((await report(opened)).body.status, 'paid', name)
    }
    assert.equal(gateway.followed(), 0)
  })
})

describe('payments', () => {
  it('come to the same status in whatever order messages come', async () => {
    const opened = await open()
    const paid = pay(opened)
    const types = ['InvoiceSettled', 'InvoiceProcessing', 'InvoiceCreated', 'InvoiceExpired']
    for (const type of types)
      await hook({ type, invoiceId: opened.reference, payment: { id: paid.id, value: '25' } })
    const done = (await report(opened)).body
    assert.deepEqual([done.status, done.credited_amount], ['paid', '25.00'])
  })

  it('are credited in part, and the rest when it comes', async () => {
    const opened = await open()
    pay(opened, 12_500_000n)
    const part = (await report(opened)).body
    assert.deepEqual([part.status, part.credited_amount], ['awaiting_payment', '12.50'])
    await expire(opened)
    await top_ups.settle()
    assert.equal((await read(opened)).status, 'underpaid')
    pay(opened, 12_500_000n)
    const late = (await report(opened)).body
    assert.deepEqual([late.status, late.credited_amount], ['paid', '25.00'])
  })

  it('are credited each, when more comes than was asked for', async () => {
    const opened = await open()
    pay(opened)
    pay(opened, 1_000_000n)
    assert.equal((await report(opened)).body.credited_amount, '26.00')
    assert.equal((await top_ups.invoices(opened.customer)).length, 2)
  })

  it('are worth the rate of their confirmation when they come late', async () => {
    const opened = await open({ asset: 'BTC' })
    await expire(opened)
    await top_ups.settle()
    assert.equal((await read(opened)).status, 'expired')
    pay(opened, 100_000n)
    gateway.setFault({ name: 'fail_500', command: 'rates:read' })
    const waiting = (await report(opened)).body
    assert.deepEqual([waiting.status, waiting.transactions[0].late], ['confirming', true])
    await settleNow(opened)
    // 0.001 at 65123.45.
    assert.equal((await read(opened)).credited_amount, '65.12')
  })
})

describe('payments that are not to be credited', () => {
  it('are not credited before they are confirmed, and taken back when they go', async () => {
    const opened = await open()
    const dropped = pay(opened, undefined, false)
    await report(opened)
    gateway.drop(dropped.id)
    assert.deepEqual((await report(opened)).body.status, 'awaiting_payment')
    const paid = pay(opened)
    assert.equal((await report(opened)).body.status, 'paid')
    gateway.drop(paid.id)
    for (let time = 0; time < 2; time += 1)
      assert.equal((await report(opened)).body.credited_amount, '25.00')
    const going = alarms('payment_may_be_gone').filter((line) => line.includes(opened.id))
    assert.equal(going.length, 1)
    const gone = (await report(opened)).body
    assert.deepEqual([gone.status, gone.credited_amount], ['awaiting_payment', '0.00'])
    assert.deepEqual(await balance(opened.customer), ['0.00', '0.00'])
    gateway.confirm(paid.id)
    assert.equal((await report(opened)).body.credited_amount, '25.00')
    const documents = await top_ups.invoices(opened.customer)
    assert.deepEqual(
      documents.map(({ kind }) => kind),
      ['invoice', 'credit_note', 'invoice'],
    )
  })

  it('in another asset wait for an operator', async () => {
    const opened = await open()
    pay(opened)
    await query("update checkouts set asset = 'USDT' where id = $1", [opened.id])
    // As if its address had got another coin: the reading is of what was agreed.
    await query(
      `insert into checkout_payments (id, checkout_id, asset, network, transaction_id, amount,
         state, confirmations, at, observed_at)
       values ($1, $2, 'USDC', 'base', 'tx', 25000000, 'confirmed', 2, now(), now())`,
      [`other/${opened.id}`, opened.id],
    )
    await settleNow(opened)
    const [one] = (await read(opened)).transactions
    assert.deepEqual([one.treatment, one.reason], ['parked', 'wrong_asset'])
    assert.deepEqual(await balance(opened.customer), ['0.00', '0.00'])
    assert.ok(alarms('payment_parked').some((line) => line.includes(opened.id)))
  })

  it('are not credited merely because they are reported', async () => {
    const opened = await open()
    const { status, body } = await report(opened, 'f'.repeat(64))
    assert.deepEqual([status, body.status, body.transactions], [200, 'awaiting_payment', []])
  })
})

describe('the watch', () => {
  it('finds a payment without any message, and one credit is left of a race', async () => {
    const [first, second] = [await open(), await open()]
    for (const opened of [first, second]) pay(opened)
    await watchNow(first, second)
    await Promise.all([
      top_ups.watch(),
      top_ups.watch(),
      top_ups.check(second),
      hook(settled(second.reference)),
    ])
    for (const opened of [first, second])
      assert.deepEqual(await balance(opened.customer), ['25.00', '0.00'])
  })

  it('reads each checkout on its own where one cannot be read', async () => {
    const [broken, sound] = [await open(), await open()]
    pay(sound)
    await query("update checkouts set pay_address = 'elsewhere' where id = $1", [broken.id])
    await watchNow(broken, sound)
    await top_ups.watch()
    assert.equal((await read(sound)).status, 'paid')
    assert.ok(alarms('gateway_unavailable').some((line) => line.includes(broken.reference)))
  })
})
