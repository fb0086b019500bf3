// The simulated BTCPay Server: statuses, webhooks, payment page, restart, control plane.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { Clock } from '../support/sandbox-clock.ts'
import { startGatewayControl } from './gateway-control.ts'
import { startGateway } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandbox-gateway-'))
const file = join(folder, 'gateway.jsonl')
const clock = new Clock(Date.now, null)
const report = (error: unknown) => assert.fail(String(error))
const start = () => startGateway({ clock, file, redelivery_ms: [60_000], report })
const gateway = await start()
after(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

type Received = { type: string; signature: string; body: Record<string, unknown>; raw: string }
const received: Received[] = []
let answer = 200
const listener = createServer((request, response) => {
  let raw = ''
  request.on('data', (part) => {
    raw += String(part)
  })
  request.on('end', () => {
    const body = Object(JSON.parse(raw))
    const signature = String(request.headers['btcpay-sig'])
    received.push({ type: body.type, signature, body, raw })
    response.writeHead(answer).end()
  })
})
listener.listen(0, '127.0.0.1')
await once(listener, 'listening')
after(() => listener.close())
const { port } = Object(listener.address())

afterEach(() => {
  gateway.clearFaults()
  received.splice(0)
  answer = 200
})

async function api(method: string, path: string, body?: object) {
  const response = await fetch(`${gateway.base_url}/api/v1${path}`, {
    method,
    headers: { authorization: `token ${gateway.api_key}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: Object(await response.json()) }
}

const store = `/stores/${gateway.store_id}`
const hook = (
  await api('POST', `${store}/webhooks`, { url: `http://127.0.0.1:${port}/`, secret: 'shh' })
).body

async function createInvoice(): Promise<string> {
  const checkout = { paymentMethods: ['USDC-BASE'] }
  const asked = { amount: '25.00', currency: 'USD', metadata: { orderId: 'o1' }, checkout }
  const { status, body } = await api('POST', `${store}/invoices`, asked)
  assert.equal(status, 200)
  await gateway.webhooksSent()
  received.splice(0)
  return body.id
}

const statusOf = async (id: string) => {
  const { body } = await api('GET', `/invoices/${id}`)
  return [body.status, body.additionalStatus]
}
const whole = 25_000_000n

describe('the status of an invoice', () => {
  it('follows its payments', async () => {
    const id = await createInvoice()
    assert.deepEqual(await statusOf(id), ['New', 'None'])
    const part = gateway.pay(id, 'USDC-BASE', whole - 1n)
    assert.deepEqual(await statusOf(id), ['New', 'PaidPartial'])
    const rest = gateway.pay(id, 'USDC-BASE', 1n)
    assert.deepEqual(await statusOf(id), ['Processing', 'None'])
    gateway.drop(rest.id)
    assert.deepEqual(await statusOf(id), ['New', 'PaidPartial'])
    gateway.pay(id, 'USDC-BASE', whole)
    gateway.confirm(part.id)
    assert.deepEqual(await statusOf(id), ['Processing', 'PaidOver'])
    for (const { id: payment } of gateway.payments())
      if (payment !== rest.id) gateway.confirm(payment)
    assert.deepEqual(await statusOf(id), ['Settled', 'PaidOver'])
  })

  it('expires with its time, and a late payment settles it', async () => {
    const id = await createInvoice()
    gateway.expire(id)
    assert.deepEqual(await statusOf(id), ['Expired', 'None'])
    const late = gateway.pay(id, 'USDC-BASE', whole)
    assert.deepEqual(await statusOf(id), ['Expired', 'PaidLate'])
    gateway.confirm(late.id)
    assert.deepEqual(await statusOf(id), ['Settled', 'PaidLate'])
  })

  it('is refused without the key, and with invalid fields', async () => {
    const url = `${gateway.base_url}/api/v1${store}/invoices`
    assert.equal((await fetch(url)).status, 401)
    for (const amount of ['0', '-1', '1.001', 'x', ''])
      assert.equal((await api('POST', `${store}/invoices`, { amount })).status, 422, amount)
    assert.equal((await api('GET', '/invoices/none')).status, 404)
    assert.equal((await api('GET', '/stores/another/invoices')).status, 404)
  })
})

describe('webhooks', () => {
  it('sign the raw body of each event', async () => {
    const id = await createInvoice()
    gateway.confirm(gateway.pay(id, 'USDC-BASE', whole).id)
    await gateway.webhooksSent()
    assert.deepEqual(received.map(({ type }) => type).sort(), [
      'InvoicePaymentSettled',
      'InvoiceProcessing',
      'InvoiceReceivedPayment',
      'InvoiceSettled',
    ])
    for (const { raw, signature, body } of received) {
      const mac = createHmac('sha256', 'shh').update(raw).digest('hex')
      assert.equal(signature, `sha256=${mac}`)
      assert.deepEqual([body.invoiceId, body.isRedelivery], [id, false])
    }
  })

  it('are sent again after a failure, and on demand', async () => {
    answer = 500
    const id = await createInvoice()
    await gateway.webhooksSent()
    answer = 200
    gateway.releaseDelayed()
    await gateway.webhooksSent()
    const [again] = received
    assert.deepEqual([again?.body.invoiceId, again?.body.isRedelivery], [id, true])
    assert.notEqual(again?.body.deliveryId, again?.body.originalDeliveryId)
    const deliveries = (await api('GET', `${store}/webhooks/${hook.id}/deliveries`)).body
    const path = `${store}/webhooks/${hook.id}/deliveries/${deliveries[0].id}/redeliver`
    assert.equal((await api('POST', path)).status, 200)
    await gateway.webhooksSent()
    assert.equal(received[1]?.body.originalDeliveryId, deliveries[0].id)
  })

  it('are dropped, repeated a hundred times, reordered or forged by faults', async () => {
    const id = await createInvoice()
    gateway.setFault({ name: 'webhook_never', times: 2 })
    const { id: payment } = gateway.pay(id, 'USDC-BASE', whole)
    await gateway.webhooksSent()
    assert.deepEqual(
      received.map(({ type }) => type),
      [],
    )
    gateway.setFault({ name: 'webhook_reversed', command: 'InvoicePaymentSettled' })
    gateway.setFault({ name: 'webhook_repeated', command: 'InvoiceSettled' })
    gateway.confirm(payment)
    await gateway.webhooksSent()
    const types = received.map(({ type }) => type)
    assert.equal(types.filter((type) => type === 'InvoiceSettled').length, 100)
    assert.equal(types.filter((type) => type === 'InvoicePaymentSettled').length, 1)
    received.splice(0)
    gateway.setFault({ name: 'webhook_bad_signature' })
    gateway.pay(id, 'USDC-BASE', 1n)
    await gateway.webhooksSent()
    const [forged] = received
    const mac = createHmac('sha256', 'shh')
      .update(forged?.raw ?? '')
      .digest('hex')
    assert.notEqual(forged?.signature, `sha256=${mac}`)
  })
})

describe('the payment page', () => {
  const page = async (id: string, how?: string) => {
    const url = `${gateway.base_url}/i/${id}${how ? '/pay' : ''}`
    const body = how ? { method: 'POST', body: new URLSearchParams({ how }) } : {}
    const response = await fetch(url, { redirect: 'manual', ...body })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('shows amount and address, and pays and confirms without scripts', async () => {
    const id = await createInvoice()
    const { text, headers } = await page(id)
    assert.match(text, /25\.00 USD/)
    assert.match(text, /25 USDC/)
    assert.match(text, /0x[0-9a-f]{40}/)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'self'/,
    )
    assert.doesNotMatch(text, /<script|style="/)
    assert.equal((await page(id, 'exactly')).status, 303)
    assert.deepEqual(await statusOf(id), ['Processing', 'None'])
    await page(id, 'confirm')
    assert.deepEqual(await statusOf(id), ['Settled', 'None'])
  })

  it('pays less, more and late', async () => {
    for (const [how, status] of [
      ['less', ['New', 'PaidPartial']],
      ['more', ['Processing', 'PaidOver']],
      ['late', ['Expired', 'PaidLate']],
    ] as const) {
      const id = await createInvoice()
      await page(id, how)
      assert.deepEqual(await statusOf(id), status)
    }
    assert.equal((await page('none')).status, 404)
  })
})

it('finds its rows, store and key after a restart', async () => {
  const id = await createInvoice()
  gateway.pay(id, 'USDC-BASE', 7n)
  const again = await startGateway({ clock, file, redelivery_ms: [], report })
  after(() => again.close())
  assert.deepEqual([again.store_id, again.api_key], [gateway.store_id, gateway.api_key])
  assert.deepEqual(again.payments(), gateway.payments())
})

it('the control plane pays, confirms and drops, and arms faults, with the token only', async () => {
  const control = await startGatewayControl(gateway, 'token')
  after(() => control.close())
  const ask = async (at: string, body?: object, token = 'token') => {
    const [method = '', path = ''] = at.split(' ')
    const response = await fetch(control.url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: Object(await response.json()) }
  }
  const invoice_id = await createInvoice()
  assert.equal((await ask('GET /payments', undefined, 'other')).status, 401)
  const paid = await ask('POST /payments', { invoice_id })
  assert.deepEqual([paid.body.units, paid.body.status], ['25000000', 'Processing'])
  assert.equal((await ask(`POST /confirm/${paid.body.id}`)).body.status, 'Settled')
  assert.equal((await ask('POST /payments', { invoice_id, amount: '0.1234567' })).status, 400)
  const more = await ask('POST /payments', { invoice_id, amount: '0.5' })
  assert.equal((await ask(`POST /drop/${more.body.id}`)).body.status, 'Invalid')
  assert.equal((await ask('GET /payments')).body.payments.at(-1).units, '500000')
  assert.equal((await ask('POST /faults', { name: 'no such' })).status, 400)
  const armed = await ask('POST /faults', { name: 'slow', times: null, delay_ms: 5 })
  assert.deepEqual(armed.body.armed, [{ name: 'slow', times: null, delay_ms: 5 }])
  assert.deepEqual((await ask('DELETE /faults')).body.armed, [])
})
