// Closing an account: refused while money is reserved for renewals; ends its requests for approval,
// which stay ended where it is opened again.
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

test('an operator pays out what a gone owner kept for renewals, and closes the account', async () => {
  const one = await registrar.customer({ funds_cents: 2_000, scopes: ['billing:read'] })
  const session = await recentSessionOf(registrar, one)
  assert.equal((await post(session, '/v1/account/reserve', { amount: '7.00' })).status, 200)
  await payOut(one, 1_300)
  const path = '/v1/internal/billing/reserve-releases'
  const facts = { customer_id: one.id, currency: 'USD', reason: 'The owner has died' }
  for (const token of [one.key, session])
    assert.equal((await post(token, path, facts)).body.code, 'operator_only')
  const unknown = { ...facts, customer_id: `cus_${'0'.repeat(26)}` }
  assert.equal((await post(operatorKey, path, unknown)).body.code, 'customer_not_found')
  for (const _turn of [1, 2]) {
    const { status, body } = await post(operatorKey, path, facts)
    assert.deepEqual([status, body.reserved, body.available], [200, '0.00', '7.00'])
  }
  const read = async (what: string) =>
    (await registrar.request('GET', `/v1/customers/${one.id}/${what}`, { token: session })).body
  const { transactions } = await read('billing/transactions')
  const moves = transactions.filter(({ type }: { type: string }) => type === 'reserve')
  assert.deepEqual(
    moves.map(({ amount }: { amount: string }) => amount),
    ['7.00', '-7.00'],
  )
  const { audit_logs } = await read('audit-logs?action=release_reserve')
  const { customer_id: _, ...logged } = facts
  const released = { reserved: '0.00', ...logged }
  assert.deepEqual(
    audit_logs
      .filter(({ actor_type }: { actor_type: string }) => actor_type === 'operator')
      .map(({ metadata }: { metadata: object }) => metadata),
    [released, released],
  )
  await payOut(one, 700)
  assert.equal((await close(one)).body.status, 'closed')
})

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
