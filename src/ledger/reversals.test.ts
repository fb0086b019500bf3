// Payments that are taken back: from the balance, and as a receivable that later money pays first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../kit/random.ts'
import {
  credit,
  db,
  move,
  newCustomer,
  reverse,
  shownBalance,
  unbalanced,
} from './ledger.fixture.ts'

test('a reversal takes what is available, and the rest becomes a receivable', async () => {
  const customer = await newCustomer()
  const payment = await credit(customer, 1000n)
  await move('hold', customer, 700n, 'r1')
  assert.equal(await reverse(payment, 1000n, { id: 'rev-1' }), true)
  assert.equal(await shownBalance(customer), '0 700 700')
  assert.equal(await reverse(payment, 1000n, { id: 'rev-1' }), false)
  await assert.rejects(
    reverse(payment, 999n, { id: 'rev-1' }),
    /payment_reversals_pkey|other facts/,
  )
  await assert.rejects(reverse(payment, 1n), /payment_reversals_sum|would sum up/)
  // The open hold finishes, and a release pays the receivable first.
  await move('release', customer, 700n, 'r1')
  assert.equal(await shownBalance(customer), '0 0 0')
  assert.deepEqual(await unbalanced(), [])
})

test('a credit pays what is owed first, and nothing is bought before', async () => {
  const customer = await newCustomer()
  const payment = await credit(customer, 500n)
  await move('hold', customer, 500n, 'r2')
  await move('capture', customer, 500n, 'r2')
  await reverse(payment, 300n, { kind: 'dispute' })
  assert.equal(await shownBalance(customer), '0 0 300')
  await credit(customer, 200n)
  assert.equal(await shownBalance(customer), '0 0 100')
  assert.equal(await move('hold', customer, 1n, 'r3'), false)
  await credit(customer, 150n)
  assert.equal(await shownBalance(customer), '50 0 0')
  assert.equal(await move('hold', customer, 50n, 'r4'), true)
  // The dispute was won.
  await reverse(payment, 300n, { kind: 'reinstatement' })
  assert.equal(await shownBalance(customer), '300 50 0')
  await assert.rejects(reverse(payment, 1n, { kind: 'reinstatement' }), /would sum up/)
  assert.deepEqual(await unbalanced(), [])
})

test('a debt in one currency stops purchases in the other', async () => {
  const customer = await newCustomer()
  const payment = await credit(customer, 500n)
  await move('hold', customer, 500n, 'r5')
  await db.query(`select payments_credit($1, $2, 'EUR', 900, $3::jsonb)`, [
    newId('pay'),
    customer,
    JSON.stringify({ account: 'processor', description: 'top-up' }),
  ])
  await reverse(payment, 500n)
  const [held] = await db.query(
    `select ledger_post_transfers(
       array[row('hold', $1, 'EUR', 100, 'x', 'x.com', 'r6')::ledger_move]) as posted`,
    [customer],
  )
  assert.deepEqual(held?.posted, [])
})

test('50 deliveries of one reversal at once take it once', async () => {
  const customer = await newCustomer()
  const payment = await credit(customer, 1000n)
  const posted = await Promise.all(
    Array.from({ length: 50 }, () => reverse(payment, 400n, { id: `${payment}-once` })),
  )
  assert.equal(posted.filter(Boolean).length, 1)
  assert.equal(await shownBalance(customer), '600 0 0')
})

test('an adjustment takes no more than is there, and a refund no more than the price', async () => {
  const customer = await newCustomer()
  await credit(customer, 500n)
  const adjust = (amount: bigint, facts: object) =>
    db.query(`select ledger_adjust($1, $2, 'USD', $3, $4::jsonb)`, [
      newId('adj'),
      customer,
      amount,
      JSON.stringify({ description: 'd', reason: 'r', ...facts }),
    ])
  await adjust(-500n, { kind: 'adjustment' })
  await assert.rejects(adjust(-1n, { kind: 'adjustment' }), /no_overdraft/)
  await adjust(300n, { kind: 'adjustment' })
  await move('hold', customer, 300n, 'r7')
  await move('capture', customer, 300n, 'r7')
  const refund = { kind: 'refund', operation_id: 'r7' }
  await assert.rejects(adjust(100n, refund), /cannot be refunded/)
  await db.query(`update orders set state = 'succeeded', closed_at = now() where id = 'r7'`)
  await adjust(200n, refund)
  await assert.rejects(adjust(101n, refund), /cannot be refunded/)
  await adjust(100n, refund)
  assert.equal(await shownBalance(customer), '300 0 0')
  assert.deepEqual(await unbalanced(), [])
})
