// A customer whose payment was reversed after it had been spent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lifecycleService } from '../../domains/holdings/lifecycle.fixture.ts'

const registrar = await lifecycleService()

async function debtor() {
  const buyer = await registrar.customer({ funds_cents: 2000 })
  await registrar.buys(buyer, `debt-${buyer.key_id}.com`)
  const [payment] = await registrar.query('select id from payments where customer_id = $1', [
    buyer.id,
  ])
  await registrar.query(
    `select payments_reverse($1, $2, 'dispute', 2000, '{"description":"Disputed"}')`,
    [`dispute-${buyer.key_id}`, payment?.id],
  )
  return buyer
}

const buy = (token: string, body: object) =>
  registrar.request('POST', '/v1/domains', { token, body })

test('shows the debt beside the balance and on the statement', async () => {
  const { id, key: token } = await debtor()
  const path = `/v1/customers/${id}/billing`
  const { body } = await registrar.request('GET', `${path}/balance`, { token })
  assert.deepEqual([body.available, body.held, body.owed], ['0.00', '0.00', '10.85'])
  const list = await registrar.request('GET', `${path}/transactions`, { token })
  const [newest] = list.body.transactions
  assert.deepEqual(
    [newest.type, newest.amount, newest.balance_after],
    ['reversal', '-9.15', '0.00'],
  )
})

test('refuses purchases, also in a dry run, and returns the missing amount', async () => {
  const { key: token } = await debtor()
  for (const dry_run of [false, true]) {
    const refused = await buy(token, { domain: 'in-debt.com', dry_run })
    assert.deepEqual([refused.status, refused.body.code], [402, 'insufficient_funds'])
    assert.deepEqual(refused.body.owed, [{ currency: 'USD', amount: '10.85' }])
    assert.equal(refused.body.shortfall, '21.70')
    assert.match(refused.body.detail, /10\.85 USD of it had been spent/)
  }
})

test('accepts purchases again once later payments have paid the debt', async () => {
  const { id, key: token } = await debtor()
  const pay = (cents: number) =>
    registrar.query(`select payments_credit($1, $2, 'USD', $3, $4::jsonb)`, [
      `later-${id}-${cents}`,
      id,
      cents,
      { account: 'processor', description: 'Top-up' },
    ])
  await pay(1085)
  const refused = await buy(token, { domain: 'paid-debt.com' })
  assert.deepEqual([refused.status, refused.body.owed], [402, undefined])
  await pay(1090)
  const bought = await buy(token, { domain: 'paid-debt.com' })
  assert.deepEqual([bought.status, bought.body.status], [200, 'active'], bought.text)
})
