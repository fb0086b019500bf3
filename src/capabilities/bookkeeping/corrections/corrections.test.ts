// Adjustments and refunds of orders: each once, never more than there is, and seen by the customer.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sharedService } from '../../../../test/support/service.ts'

const registrar = await sharedService({ worker: false })
const token = registrar.operatorKey
const post = (what: string, body: object, by = token) =>
  registrar.request('POST', `/v1/internal/billing/${what}`, { token: by, body })
let made = 0
const fresh = () => {
  made += 1
  return `fresh-${process.pid}-${made}`
}

async function buyer(funds_cents = 2_000) {
  const customer = await registrar.customer({
    ...{ scopes: ['billing:read', 'audit:read', 'domains:purchase', 'domains:read'], funds_cents },
  })
  const path = `/v1/customers/${customer.id}/billing`
  const own = { token: customer.key }
  return {
    ...customer,
    adjustment: (amount_cents: number, more: object = {}) => ({
      ...{ customer_id: customer.id, amount_cents, currency: 'USD', reason: 'Corrected' },
      ...{ adjustment_id: fresh(), ...more },
    }),
    balance: async () => (await registrar.request('GET', `${path}/balance`, own)).body,
    lines: async () =>
      (await registrar.request('GET', `${path}/transactions`, own)).body.transactions,
    audit: async (action: string) => {
      const at = `/v1/customers/${customer.id}/audit-logs?action=${action}`
      return (await registrar.request('GET', at, own)).body.audit_logs
    },
    buys: async (domain: string) => {
      const body = { domain }
      const bought = await registrar.request('POST', '/v1/domains', { token: customer.key, body })
      assert.equal(bought.status, 200, bought.text)
      return bought.body.operation.id
    },
  }
}

describe('an adjustment', () => {
  test('gives or takes once, and is on the statement and in the log of the customer', async () => {
    const customer = await buyer()
    const taken = customer.adjustment(-500, { reason: 'Credited to the wrong account' })
    const first = await post('adjustments', taken)
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(
      [first.body.posted, first.body.amount, first.body.available],
      [true, '-5.00', '15.00'],
    )
    const again = await post('adjustments', taken)
    assert.deepEqual(again.body, { ...first.body, posted: false })
    const given = await post('adjustments', customer.adjustment(250))
    assert.equal(given.body.available, '17.50')
    const [newest, before] = await customer.lines()
    assert.deepEqual([newest.type, newest.amount], ['adjustment', '2.50'])
    assert.deepEqual(
      [before.type, before.amount, before.id, before.description],
      ['adjustment', '-5.00', first.body.ledger_transaction_id, taken.reason],
    )
    const rows = await customer.audit('adjust_balance')
    assert.equal(rows.length, 3)
    const { reason, amount_cents } = taken
    const [row] = rows.filter((one: { target: string }) => one.target === taken.adjustment_id)
    assert.deepEqual(row.metadata, { amount_cents, currency: 'USD', reason, repeated: true })
    assert.equal(row.actor_type, 'operator')
  })

  test('is refused with other facts under its id, and for an unknown customer', async () => {
    const customer = await buyer()
    const body = customer.adjustment(-100)
    assert.equal((await post('adjustments', body)).status, 200)
    const other = await buyer()
    for (const more of [{ amount_cents: -101 }, { currency: 'EUR' }, { customer_id: other.id }]) {
      const { status, body: refused } = await post('adjustments', { ...body, ...more })
      assert.deepEqual([status, refused.code], [409, 'adjustment_conflict'], JSON.stringify(more))
    }
    const order = await other.buys(`${fresh()}.com`)
    const refund = { operation_id: order, amount_cents: 1, reason: 'x' }
    const taken = await post('order-refunds', { ...refund, refund_id: body.adjustment_id })
    assert.deepEqual([taken.status, taken.body.code], [409, 'adjustment_conflict'])
    const unknown = customer.adjustment(1, { customer_id: `cus_${'0'.repeat(26)}` })
    assert.equal((await post('adjustments', unknown)).body.code, 'customer_not_found')
    assert.equal((await post('adjustments', customer.adjustment(0))).status, 422)
    const denied = await post('adjustments', customer.adjustment(1), customer.key)
    assert.deepEqual([denied.status, denied.body.code], [403, 'operator_only'])
    assert.equal((await customer.balance()).available, '19.00')
  })

  test('takes no more than is available, and says how much that is', async () => {
    const customer = await buyer()
    await customer.buys(`${fresh()}.com`)
    const { status, body } = await post('adjustments', customer.adjustment(-2_000))
    assert.deepEqual([status, body.code], [409, 'adjustment_exceeds_balance'])
    assert.deepEqual([body.available, body.currency], ['9.15', 'USD'])
    const other = await post('adjustments', customer.adjustment(-1, { currency: 'EUR' }))
    assert.deepEqual([other.status, other.body.available], [409, '0.00'])
    assert.equal((await customer.balance()).available, '9.15')
  })
})

describe('adjustments at once', () => {
  test('whatever is tried, the balance is the sum of those that were posted', async () => {
    const customer = await buyer(1_000)
    let expected = 1_000
    const amounts = fc.array(
      fc.integer({ min: -900, max: 300 }).filter((one) => one !== 0),
      {
        ...{ minLength: 1, maxLength: 6 },
      },
    )
    const property = fc.asyncProperty(amounts, async (some) => {
      const answers = await Promise.all(
        some.flatMap((amount) => {
          const body = customer.adjustment(amount)
          return [post('adjustments', body), post('adjustments', body)]
        }),
      )
      for (const { status, body, text } of answers) {
        if (status === 200 && body.posted) expected += Math.round(Number(body.amount) * 100)
        else assert.ok(status === 200 || body.code === 'adjustment_exceeds_balance', text)
      }
      assert.equal((await customer.balance()).available, (expected / 100).toFixed(2))
    })
    await fc.assert(property, { numRuns: 4 })
  })
})

describe('the refund of an order', () => {
  test('gives its price back once, in parts at most whole', async () => {
    const customer = await buyer()
    const operation_id = await customer.buys(`${fresh()}.com`)
    const refund = (amount_cents: number, refund_id = fresh()) =>
      post('order-refunds', { operation_id, amount_cents, refund_id, reason: 'Sold by mistake' })
    const id = fresh()
    const first = await refund(85, id)
    assert.equal(first.status, 200, first.text)
    assert.deepEqual([first.body.customer_id, first.body.refundable], [customer.id, '10.00'])
    const repeated = await refund(85, id)
    assert.deepEqual(repeated.body, { ...first.body, posted: false })
    assert.equal((await refund(84, id)).body.code, 'adjustment_conflict')
    const tooMuch = await refund(1_001)
    assert.deepEqual(
      [tooMuch.status, tooMuch.body.code, tooMuch.body.refundable],
      [409, 'refund_exceeds_order', '10.00'],
    )
    const halves = await Promise.all(Array.from({ length: 5 }, () => refund(500)))
    assert.equal(halves.filter(({ status }) => status === 200).length, 2)
    assert.equal((await customer.balance()).available, '20.00')
    const [line] = await customer.lines()
    assert.deepEqual(
      [line.type, line.amount, line.operation_id, line.description],
      ['refund', '5.00', operation_id, 'Sold by mistake'],
    )
    assert.equal((await customer.audit('refund_order')).length, 4)
  })

  test('is refused for an order that is unknown or did not succeed', async () => {
    const body = { operation_id: 'ord_none', amount_cents: 1, refund_id: fresh(), reason: 'x' }
    const unknown = await post('order-refunds', body)
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'refund_order_not_found'])
    const customer = await buyer()
    const domain = `${fresh()}.com`
    registrar.sandbox.setFault({ name: 'refuse_2306', command: 'domain:create', domain })
    const asked = { token: customer.key, body: { domain } }
    assert.equal((await registrar.request('POST', '/v1/domains', asked)).status, 409)
    const [release] = await customer.lines()
    assert.equal(release.type, 'release')
    const { operation_id } = release
    const refused = await post('order-refunds', { ...body, operation_id })
    assert.deepEqual([refused.status, refused.body.code], [409, 'order_not_refundable'])
    assert.equal((await customer.balance()).available, '20.00')
  })
})
