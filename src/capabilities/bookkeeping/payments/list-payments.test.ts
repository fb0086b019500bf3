// The list of credited payments: of all customers or one, by account and day, each once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../../../test/support/service.ts'

const registrar = await sharedService({ worker: false })
const token = registrar.operatorKey
const { id, key } = await registrar.customer({ funds_cents: 0 })
const at = '/v1/internal/billing'
const list = async (query: string) => {
  const answer = await registrar.request('GET', `${at}/payments?${query}`, { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const today = () => registrar.service.app.clock.now().toISOString().slice(0, 10)

for (const number of [1, 2, 3]) {
  const paid = await registrar.request('POST', `${at}/processor/top-ups`, {
    token,
    body: {
      ...{ customer_id: id, amount_cents: number * 100, currency: number === 2 ? 'EUR' : 'USD' },
      processor_checkout_session_id: `cs_${id}_${number}`,
      processor_payment_intent_id: `pi_${id}_${number}`,
    },
  })
  assert.equal(paid.status, 200, paid.text)
}

test('has the payment with its ids, its document and its reversals', async () => {
  const reversal = { payment_id: `processor/cs_${id}_3`, reversal_id: `r-${id}`, kind: 'refund' }
  const reverse = (more: object) =>
    registrar.request('POST', `${at}/reversals`, { token, body: { ...reversal, ...more } })
  assert.equal((await reverse({ amount_cents: 120, reason: 'Agreed' })).status, 200)
  const again = { reversal_id: `a-${id}`, kind: 'reinstatement', amount_cents: 20, reason: 'Won' }
  assert.equal((await reverse(again)).status, 200)
  const { payments, next_cursor } = await list(`customer_id=${id}`)
  assert.equal(next_cursor, null)
  const sums = payments.map((one: Record<string, string>) => [
    one.amount,
    one.currency,
    one.reversed,
  ])
  assert.deepEqual(sums, [
    ['3.00', 'USD', '1.00'],
    ['2.00', 'EUR', '0.00'],
    ['1.00', 'USD', '0.00'],
  ])
  const [newest] = payments
  assert.deepEqual(
    [newest.id, newest.account, newest.processor_payment_intent_id],
    [reversal.payment_id, 'processor', `pi_${id}_3`],
  )
  const kinds = newest.reversals.map((one: Record<string, string>) => [one.kind, one.amount])
  assert.deepEqual(kinds, [
    ['refund', '1.20'],
    ['reinstatement', '0.20'],
  ])
  const invoice = `/v1/customers/${id}/billing/invoices/${newest.invoice_id}`
  const { body } = await registrar.request('GET', invoice, { token: key })
  assert.equal(body.total_amount, '3.00')
})

test('pages through all, and filters by account and day', async () => {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const page = await list(`customer_id=${id}&limit=2${cursor}`)
    found.push(...page.payments.map((one: { amount: string }) => one.amount))
    if (page.next_cursor === null) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual(found, ['3.00', '2.00', '1.00'])
  const counted = async (query: string) =>
    (await list(`customer_id=${id}&${query}`)).payments.length
  assert.equal(await counted('account=processor'), 3)
  assert.equal(await counted('account=gateway'), 0)
  assert.equal(await counted(`day=${today()}`), 3)
  assert.equal(await counted('day=2001-01-01'), 0)
  const { payments } = await list(`day=${today()}&limit=500`)
  assert.ok(payments.some((one: { customer_id: string }) => one.customer_id === id))
})

test('is for operators, and refuses an invalid day', async () => {
  const own = await registrar.request('GET', `${at}/payments?customer_id=${id}`, { token: key })
  assert.deepEqual([own.status, own.body.code], [403, 'operator_only'])
  const wrong = await registrar.request('GET', `${at}/payments?day=2026-02-30`, { token })
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.body.detail[0].loc, ['query', 'day'])
})
