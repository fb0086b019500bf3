// An account is not closed with money kept for renewals; with it, requests for approval end, and
// stay ended where it is opened again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService, type TestCustomer } from '../../../test/support/service.ts'
import { recentSessionOf } from '../../../test/support/sign-in.ts'

const registrar = await sharedService()
const { operatorKey } = registrar
const post = (token: string, path: string, body: object = {}) =>
  registrar.request('POST', path, { token, body })
const close = ({ id }: TestCustomer) =>
  post(operatorKey, `/v1/internal/customers/${id}/close`, { reason: 'For a test' })

async function payOut({ id }: TestCustomer, amount_cents: number): Promise<void> {
  const adjustment_id = `close-${id}-${amount_cents}`
  const facts = { currency: 'USD', reason: 'Paid out', adjustment_id }
  const body = { customer_id: id, amount_cents: -amount_cents, ...facts }
  const paid = await post(operatorKey, '/v1/internal/billing/adjustments', body)
  assert.ok(paid.status < 300, paid.text)
}

test('the reserve counts as money, and open requests end with the account', async () => {
  const scopes = ['account:read', 'domains:read', 'domains:purchase', 'keys:write']
  const one = await registrar.customer({ funds_cents: 2_000, scopes })
  const session = await recentSessionOf(registrar, one)
  const keys = `/v1/customers/${one.id}/api-keys`
  const agent = await post(one.key, keys, { scopes, approval_above: { amount: '5.00' } })
  const token = String(agent.body.api_key)
  const domain = `close-${process.pid}.com`
  const { body: asked } = await post(token, '/v1/domains', { domain })
  assert.equal(asked.code, 'approval_required')
  assert.equal((await post(session, '/v1/account/reserve', { amount: '7.00' })).status, 200)
  await payOut(one, 1_300)
  const refused = await close(one)
  assert.deepEqual([refused.status, refused.body.code], [409, 'account_not_empty'])
  assert.deepEqual(refused.body.contents.balances, [
    { currency: 'USD', available: '0.00', held: '0.00', owed: '0.00', reserved: '7.00' },
  ])
  assert.equal((await post(session, '/v1/account/reserve', { amount: '0' })).status, 200)
  await payOut(one, 700)
  assert.equal((await close(one)).body.status, 'closed')
  await post(operatorKey, `/v1/internal/customers/${one.id}/resume`)
  const again = await recentSessionOf(registrar, one)
  const path = `/v1/approvals/${asked.approval.id}`
  const late = await post(again, `${path}/approve`)
  assert.deepEqual([late.status, late.body.code], [409, 'approval_decided'])
  const { body } = await registrar.request('GET', path, { token: again })
  assert.deepEqual([body.state, body.error.code], ['voided', 'key_revoked'])
})
