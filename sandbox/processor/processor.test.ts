// The simulated Stripe: forms, idempotency keys, events, payment page, restart, control plane.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { Clock } from '../support/sandbox-clock.ts'
import { fieldAt, parseForm, textsAt } from './form-fields.ts'
import { startProcessor } from './index.ts'
import { startProcessorControl } from './processor-control.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandbox-processor-'))
const file = join(folder, 'processor.jsonl')
const clock = new Clock(Date.now, null)
const report = (error: unknown) => assert.fail(String(error))
const processor = await startProcessor({ clock, file, redelivery_ms: [], report })
after(async () => {
  await processor.close()
  rmSync(folder, { recursive: true, force: true })
})

async function api(at: string, form?: Record<string, string>, key?: string) {
  const [method = '', path = ''] = at.split(' ')
  const response = await fetch(`${processor.base_url}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${processor.api_key}`,
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(form ? { body: new URLSearchParams(form) } : {}),
  })
  return { status: response.status, body: Object(await response.json()) }
}

const form = {
  mode: 'payment',
  'line_items[0][price_data][currency]': 'usd',
  'line_items[0][price_data][unit_amount]': '2500',
  'line_items[0][price_data][product_data][name]': '<b>Top-up</b>',
  'line_items[0][quantity]': '1',
  'metadata[customer_id]': 'cus_1',
  success_url: 'http://localhost:1/back?session={CHECKOUT_SESSION_ID}',
}
const create = async () => (await api('POST /checkout/sessions', form)).body.id

it('reads nested names of a form', () => {
  const fields = parseForm('a[b][0][c]=1&a[b][0][d]=%26&m[x]=y&plain=z&[]=odd')
  assert.equal(fieldAt(fields, 'a', 'b', '0', 'c'), '1')
  assert.equal(fieldAt(fields, 'a', 'b', '0', 'd'), '&')
  assert.equal(fieldAt(fields, 'a', 'b'), undefined)
  assert.deepEqual(textsAt(fields, 'm'), { x: 'y' })
})

it('answers a repeated key with the first answer, and other parameters with an error', async () => {
  const first = await api('POST /checkout/sessions', form, 'key-1')
  assert.deepEqual(await api('POST /checkout/sessions', form, 'key-1'), first)
  const other = await api('POST /checkout/sessions', { ...form, mode: 'setup' }, 'key-1')
  assert.deepEqual([other.status, other.body.error.type], [400, 'idempotency_error'])
})

it('refuses invalid requests and keys', async () => {
  for (const wrong of [
    { mode: 'setup' },
    { success_url: 'x' },
    { 'line_items[0][price_data][currency]': 'gbp' },
    { 'line_items[0][price_data][unit_amount]': '49' },
    { 'line_items[0][price_data][unit_amount]': '-1' },
    { expires_at: '1' },
  ])
    assert.equal((await api('POST /checkout/sessions', { ...form, ...wrong })).status, 400)
  assert.equal((await api('GET /checkout/sessions/cs_none')).body.error.code, 'resource_missing')
  assert.equal((await fetch(`${processor.base_url}/v1/refunds`)).status, 401)
})

it('refunds what was paid, in parts, and no more', async () => {
  const intent = processor.pay(await create())
  const part = { payment_intent: intent.id, amount: '1000' }
  assert.equal((await api('POST /refunds', part)).body.amount, 1_000)
  const rest = await api('POST /refunds', { payment_intent: intent.id })
  assert.equal(rest.body.amount, 1_500)
  assert.equal((await api('POST /refunds', part)).status, 400)
  const [payment] = processor.payments().filter(({ id }) => id === intent.id)
  assert.deepEqual(
    payment?.refunds.map(({ amount }) => amount),
    [1_000, 1_500],
  )
})

it('the payment page pays and goes back, without scripts', async () => {
  const id = await create()
  const url = `${processor.base_url}/c/pay/${id}`
  const page = await fetch(url)
  const text = await page.text()
  assert.match(text, /25\.00 USD/)
  assert.match(text, /&lt;b&gt;Top-up/)
  assert.doesNotMatch(text, /<script|style="/)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'.*form-action 'self' http:\/\/localhost:1;/)
  const press = (how: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ how }), redirect: 'manual' })
  const back = await press('pay')
  assert.equal(back.headers.get('location'), `http://localhost:1/back?session=${id}`)
  assert.equal((await api(`GET /checkout/sessions/${id}`)).body.payment_status, 'paid')
  await press('pay')
  assert.equal(processor.sessions().filter((one) => one.id === id && one.intent_id).length, 1)
  assert.equal((await fetch(`${processor.base_url}/c/pay/none`)).status, 404)
})

it('finds its rows and key after a restart', async () => {
  processor.dispute(processor.pay(await create()).id, 5)
  const again = await startProcessor({ clock, file, redelivery_ms: [], report })
  after(() => again.close())
  assert.equal(again.api_key, processor.api_key)
  assert.deepEqual(again.payments(), processor.payments())
})

it('the control plane pays, refunds, disputes and arms faults, with the token only', async () => {
  const control = await startProcessorControl(processor, 'token')
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
  assert.equal((await ask('GET /payments', undefined, 'other')).status, 401)
  const { body: intent } = await ask(`POST /pay/${await create()}`, { later: true })
  assert.equal(intent.status, 'processing')
  await ask(`POST /settle/${intent.id}`, { succeeded: true })
  const refund = await ask(`POST /refunds/${intent.id}`, { amount: 100 })
  await ask(`POST /fail-refund/${refund.body.id}`)
  const dispute = await ask(`POST /disputes/${intent.id}`, {})
  assert.equal(dispute.body.amount, 2_500)
  assert.equal((await ask(`POST /close-dispute/${dispute.body.id}`, { status: 'x' })).status, 400)
  await ask(`POST /close-dispute/${dispute.body.id}`, { status: 'lost' })
  const { payments } = (await ask('GET /payments')).body
  const last = payments.at(-1)
  assert.deepEqual([last.refunds[0].status, last.disputes[0].status], ['failed', 'lost'])
  assert.equal((await ask('POST /faults', { name: 'no such' })).status, 400)
  assert.deepEqual((await ask('POST /faults', { name: 'slow' })).body.armed, [
    { name: 'slow', times: 1 },
  ])
  assert.deepEqual((await ask('DELETE /faults')).body.armed, [])
})
