// Simulated money: its caller alone gets it, and only in the sandbox environment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'
import { operationsIn } from '../../catalog.ts'

const registrar = await sharedService()
const at = '/v1/sandbox/top-ups'

test('credits the caller, and the transactions say that it was simulated', async () => {
  const { id, key: token } = await registrar.customer({
    scopes: ['billing:write', 'billing:read'],
    funds_cents: 0,
  })
  const other = await registrar.customer()
  const body = { amount_cents: 2_500, currency: 'EUR' }
  const first = await registrar.request('POST', at, { token, body })
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.customer_id, id)
  assert.equal(first.body.amount, '25.00')
  const second = await registrar.request('POST', at, { token, body })
  assert.equal(second.body.available, '50.00')
  const path = `/v1/customers/${id}/billing`
  const list = await registrar.request('GET', `${path}/transactions`, { token })
  const shown = list.body.transactions.map((row: Record<string, string>) => [
    row.type,
    row.amount,
    row.description,
  ])
  assert.deepEqual(shown, [
    ['top_up', '25.00', 'Simulated top-up'],
    ['top_up', '25.00', 'Simulated top-up'],
  ])
  const untouched = await registrar.request(
    'GET',
    `/v1/customers/${other.id}/billing/balance?currency=EUR`,
    { token: other.key },
  )
  assert.equal(untouched.body.available, '0.00')
})

test('refuses a key without billing:write, an operator, and amounts that are no payment', async () => {
  const { key: token } = await registrar.customer({ scopes: ['billing:read'] })
  const body = { amount_cents: 100, currency: 'USD' }
  const unscoped = await registrar.request('POST', at, { token, body })
  assert.deepEqual([unscoped.status, unscoped.body.code], [403, 'insufficient_scope'])
  const operator = await registrar.request('POST', at, { token: registrar.operatorKey, body })
  assert.deepEqual([operator.status, operator.body.code], [403, 'customer_required'])
  const { key: able } = await registrar.customer({ scopes: ['billing:write'] })
  for (const amount_cents of [0, -1, 1.5, 1_000_001, '100', null]) {
    const wrong = { amount_cents, currency: 'USD' }
    const refused = await registrar.request('POST', at, { token: able, body: wrong })
    assert.equal(refused.status, 422, JSON.stringify(amount_cents))
  }
})

test('does not exist in production', () => {
  const paths = (environment: 'sandbox' | 'production') =>
    operationsIn(environment).map((one) => one.at)
  assert.ok(paths('sandbox').includes(`POST ${at}`))
  assert.ok(!paths('production').some((one) => one.includes('/sandbox/')))
})
