// Reversals by an operator: money, document and audit, each once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { sharedService } from '../../../../test/support/service.ts'

const registrar = await sharedService()

async function paidCustomer() {
  const scopes = ['billing:read', 'audit:read']
  const buyer = await registrar.customer({ scopes, funds_cents: 0 })
  const session = `cs_reversed_${buyer.key_id}`
  const body = {
    customer_id: buyer.id,
    amount_cents: 2_000,
    currency: 'USD',
    processor_checkout_session_id: session,
  }
  const at = '/v1/internal/billing/processor/top-ups'
  const made = await registrar.request('POST', at, { token: registrar.operatorKey, body })
  assert.equal(made.status, 200, made.text)
  return { ...buyer, payment_id: `processor/${session}`, reversal_id: `r-${buyer.key_id}` }
}

const reverse = (body: object, token = registrar.operatorKey) =>
  registrar.request('POST', '/v1/internal/billing/reversals', { token, body })

test('a refund in part takes money, makes a credit note and is posted once', async () => {
  const { id, key: token, payment_id, reversal_id } = await paidCustomer()
  const body = { payment_id, reversal_id, kind: 'refund', amount_cents: 500, reason: 'Agreed' }
  for (const posted of [true, false])
    assert.deepEqual((await reverse(body)).body, {
      customer_id: id,
      payment_id,
      reversal_id,
      posted,
    })
  const path = `/v1/customers/${id}/billing`
  const { body: balance } = await registrar.request('GET', `${path}/balance`, { token })
  assert.deepEqual([balance.available, balance.owed], ['15.00', '0.00'])
  const { body: documents } = await registrar.request('GET', `${path}/invoices`, { token })
  const [note, invoice] = documents.invoices
  assert.deepEqual(
    [note.kind, note.total_amount, note.credited_invoice_id],
    ['credit_note', '5.00', invoice.id],
  )
  const { body: list } = await registrar.request('GET', `${path}/transactions`, { token })
  const [line] = list.transactions
  assert.deepEqual(
    [line.type, line.amount, line.invoice_id, line.description],
    ['reversal', '-5.00', note.id, 'Agreed'],
  )
  const again = { ...body, kind: 'reinstatement', reversal_id: `${reversal_id}-won` }
  assert.equal((await reverse(again)).body.posted, true)
  const after = await registrar.request('GET', `${path}/balance`, { token })
  assert.equal(after.body.available, '20.00')
})

test('other facts, more than was paid, and an unknown payment post nothing', async () => {
  const { id, key: token, payment_id, reversal_id } = await paidCustomer()
  const body = { payment_id, reversal_id, kind: 'dispute', amount_cents: 1_500, reason: 'Lost' }
  assert.equal((await reverse(body)).status, 200)
  const refused = [
    [{ ...body, amount_cents: 1_499 }, 'reversal_conflict'],
    [{ ...body, kind: 'refund' }, 'reversal_conflict'],
    [{ ...body, reversal_id: 'more', amount_cents: 501 }, 'reversal_exceeds_payment'],
    [{ ...body, reversal_id: 'more', kind: 'reinstatement', amount_cents: 1_501 }, undefined],
    [{ ...body, payment_id: `${payment_id}x`, reversal_id: 'more' }, 'payment_not_found'],
  ] as const
  for (const [wrong, code = 'reversal_exceeds_payment'] of refused)
    assert.equal((await reverse(wrong)).body.code, code)
  const balance = `/v1/customers/${id}/billing/balance`
  assert.equal((await registrar.request('GET', balance, { token })).body.available, '5.00')
})

test('only an operator reverses, and the audit log of the customer has the reason', async () => {
  const { id, key, payment_id, reversal_id } = await paidCustomer()
  const facts = { kind: 'refund', amount_cents: 1, reason: 'By mistake' }
  const body = { payment_id, reversal_id, ...facts }
  const denied = await reverse(body, key)
  assert.deepEqual([denied.status, denied.body.code], [403, 'operator_only'])
  assert.equal((await reverse(body)).status, 200)
  const at = `/v1/customers/${id}/audit-logs?action=reverse_payment`
  const { body: log } = await registrar.request('GET', at, { token: key })
  const rows = log.audit_logs.map((row: Record<string, unknown>) => [row.result, row.metadata])
  assert.deepEqual(rows.toReversed()[1], ['success', facts])
})

test('each kind is mailed to the owner, once; one beyond the balance says what is owed', async () => {
  const { id, payment_id, reversal_id } = await paidCustomer()
  const kinds = ['refund', 'reinstatement', 'dispute', 'reinstatement', 'reorganisation'] as const
  for (const [at, kind] of kinds.entries()) {
    const body = { payment_id, kind, amount_cents: 2_000, reason: 'Because <b>of "it"</b>' }
    for (const posted of [true, false]) {
      const { body: done } = await reverse({ ...body, reversal_id: `${reversal_id}-${at}` })
      assert.equal(done.posted, posted)
    }
  }
  const mails = await rowsIn(registrar)(
    `select subject, body from mails where customer_id = $1 and kind = 'payment_reversed'
      order by id`,
    [id],
  )
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    [
      'A payment was refunded: 20.00 USD',
      'A payment was reinstated: 20.00 USD',
      'A payment was disputed: 20.00 USD',
      'A payment was reinstated: 20.00 USD',
      'A payment is no longer on its network: 20.00 USD',
    ],
  )
  for (const { body } of mails) assert.doesNotMatch(String(body), /owes/)
  const spent = await paidCustomer()
  const adjustment = {
    customer_id: spent.id,
    currency: 'USD',
    amount_cents: -1_500,
    reason: 'Spent',
  }
  const sent = { token: registrar.operatorKey, body: { ...adjustment, adjustment_id: spent.id } }
  const adjusted = await registrar.request('POST', '/v1/internal/billing/adjustments', sent)
  assert.equal(adjusted.status, 200, adjusted.text)
  const { payment_id: of, reversal_id: as } = spent
  const disputed = { payment_id: of, reversal_id: as, kind: 'dispute', amount_cents: 2_000 }
  assert.equal((await reverse({ ...disputed, reason: 'Card payment' })).status, 200)
  const [owing] = await rowsIn(registrar)(
    "select body from mails where customer_id = $1 and kind = 'payment_reversed'",
    [spent.id],
  )
  const text = String(owing?.body).replaceAll('\n', ' ')
  assert.match(text, /your account owes 15.00 USD/)
  assert.match(text, /\/dashboard\/billing\/top-up\?currency=USD&shortfall=15.00/)
})
