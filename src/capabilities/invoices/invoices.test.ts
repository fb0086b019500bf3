// Invoices through the API: exact amounts, an end that comes once, and documents of payments.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sharedService } from '../../../test/support/service.ts'
import { formatAmount } from '../../kit/money.ts'
import { creditNoteFor, issueForPayment } from './index.ts'

const registrar = await sharedService({ worker: false })
const operator = { token: registrar.operatorKey }
const line = { description: 'Consulting', quantity: 1, unit_amount: '10.00' }

const pathOf = (id: string) => `/v1/customers/${id}/billing/invoices`
const create = (id: string, body: object, token = registrar.operatorKey) =>
  registrar.request('POST', pathOf(id), { token, body })

async function buyer() {
  return await registrar.customer({ scopes: ['billing:read', 'billing:write'], funds_cents: 0 })
}

describe('creating an invoice', async () => {
  const { id, key: token } = await buyer()

  test('returns what the contract says, with totals of its lines', async () => {
    const items = [line, { description: 'Zażółć', quantity: 3, unit_amount: 0.1 }]
    const body = { items, tax_amount: 2, notes: 'Two\nlines', due_at: '2027-01-31T00:00:00Z' }
    const { status, body: made } = await create(id, body, token)
    assert.equal(status, 201)
    assert.match(made.invoice_number, /^\d{4}-\d{6}$/)
    assert.deepEqual(
      [made.status, made.kind, made.currency, made.subtotal_amount, made.tax_amount],
      ['open', 'invoice', 'USD', '10.30', '2.00'],
    )
    assert.equal(made.total_amount, '12.30')
    assert.equal(made.due_at, '2027-01-31T00:00:00.000Z')
    assert.deepEqual(
      made.items.map((one: Record<string, unknown>) => [one.unit_amount, one.total_amount]),
      [
        ['10.00', '10.00'],
        ['0.10', '0.30'],
      ],
    )
    const read = await registrar.request('GET', `${pathOf(id)}/${made.id}`, { token })
    assert.deepEqual(read.body, made)
  })
})

describe('the request', async () => {
  const { id, key: token } = await buyer()

  for (const wrong of [
    '0.005',
    '1,00',
    '１',
    'NaN',
    '',
    '-1',
    '-0',
    '1e2',
    '0',
    '0.00',
    ' 1',
    '01',
  ])
    test(`refuses the price "${wrong}"`, async () => {
      const { status, text } = await create(id, { items: [{ ...line, unit_amount: wrong }] })
      assert.equal(status, 422, text)
      assert.ok(text.includes('"items",0,"unit_amount"'), text)
    })

  // The first ones are more digits than a number keeps: read, they are 0.1, 10.1 and 5.
  const tooPrecise = ['0.10000000000000000555', '10.100000000000000001', '5.00000000000000000001']
  const values = ['0.005', '-0', '-1', '1e400', '1e21', '0', '0.1e-5', 'null', '"NaN"', '{}']
  for (const wrong of [...tooPrecise, ...values])
    test(`refuses the JSON value ${wrong} as a price`, async () => {
      const response = await fetch(`${registrar.url}${pathOf(id)}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${registrar.operatorKey}`,
          'content-type': 'application/json',
        },
        body: `{"items":[{"description":"x","unit_amount":${wrong}}]}`,
      })
      assert.equal(response.status, 422, await response.text())
    })

  test('refuses -0 as tax, control characters, and a moment that is none', async () => {
    const bodies = [
      { items: [line], tax_amount: '-0' },
      { items: [{ ...line, description: 'a\u0007b' }] },
      { items: [line], notes: 'a\u202eb' },
      { items: [line], due_at: '0000-01-01T00:00:00Z' },
      { items: [line], due_at: '2026-12-31T23:59:60Z' },
      { items: [line], due_at: '9999-12-31T23:59:59-23:00' },
      { items: [] },
      { items: Array(101).fill(line) },
      { items: [{ ...line, quantity: 1001 }] },
      { items: [line], currency: 'GBP' },
    ]
    for (const body of bodies)
      assert.equal((await create(id, body)).status, 422, JSON.stringify(body).slice(0, 200))
  })

  test('adds a hundred of the largest lines without overflow', async () => {
    const largest = { description: 'x', quantity: 1000, unit_amount: '9999999999999.99' }
    const { status, body } = await create(id, { items: Array(100).fill(largest) })
    assert.equal(status, 201)
    assert.equal(body.total_amount, '999999999999999000.00')
  })

  test('has the sum of its lines as its total, whatever they are', async () => {
    const lines = fc.array(
      fc.record({
        cents: fc.bigInt(1n, 10n ** 15n - 1n),
        quantity: fc.integer({ min: 1, max: 1000 }),
      }),
      { minLength: 1, maxLength: 100 },
    )
    const property = fc.asyncProperty(lines, async (some) => {
      const items = some.map(({ cents, quantity }) => ({
        ...{ description: 'x', quantity, unit_amount: formatAmount(cents) },
      }))
      const { body } = await create(id, { items, currency: 'EUR' })
      const sum = some.reduce((all, { cents, quantity }) => all + cents * BigInt(quantity), 0n)
      assert.equal(body.total_amount, formatAmount(sum))
    })
    await fc.assert(property, { numRuns: 10 })
  })

  test("is refused for another customer's account, and without the scope", async () => {
    const other = await buyer()
    assert.equal((await create(other.id, { items: [line] }, token)).status, 404)
    const { id: own, key } = await registrar.customer({ scopes: ['billing:read'] })
    const { body } = await create(own, { items: [line] }, key)
    assert.equal(body.code, 'insufficient_scope')
  })
})

describe('marking an invoice as paid', async () => {
  const { id, key: token } = await buyer()
  const ids = { processor_checkout_session_id: 'cs_9', processor_payment_intent_id: 'pi_9' }
  const mark = (invoice: number, body: object = {}, by = operator.token) =>
    registrar.request('POST', `${pathOf(id)}/${invoice}/mark-paid`, { token: by, body })

  test('is for operators, happens once, and moves no balance', async () => {
    const { body: made } = await create(id, { items: [line] }, token)
    const own = await mark(made.id, {}, token)
    assert.deepEqual([own.status, own.body.code], [403, 'operator_only'])
    const first = await mark(made.id, ids)
    assert.equal(first.status, 200, first.text)
    assert.equal(first.body.status, 'paid')
    assert.equal(first.body.processor_payment_intent_id, 'pi_9')
    for (const body of [ids, {}, { processor_payment_intent_id: 'pi_9' }]) {
      const again = await mark(made.id, body)
      assert.deepEqual(again.body, first.body)
    }
    const differently = await mark(made.id, { processor_payment_intent_id: 'pi_10' })
    assert.deepEqual([differently.status, differently.body.code], [409, 'invoice_not_open'])
    const url = `/v1/customers/${id}/billing/balance`
    assert.equal((await registrar.request('GET', url, { token })).body.total, '0.00')
  })

  test('happens once for concurrent requests', async () => {
    const { body: made } = await create(id, { items: [line] })
    const answers = await Promise.all(Array.from({ length: 8 }, () => mark(made.id, ids)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  })

  test("does not find an unknown invoice or another customer's", async () => {
    const other = await buyer()
    const { body: made } = await create(other.id, { items: [line] })
    for (const invoice of [made.id, 999_999_999, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await mark(invoice)
      assert.deepEqual([status, body.code], [404, 'invoice_not_found'])
    }
  })
})

describe('the invoice of a credited payment', async () => {
  const { id, key: token } = await buyer()
  const contact = {
    ...{ name: 'Zofia Żak', email: 'zofia@example.net', address: 'ul. Długa 1', city: 'Łódź' },
    ...{ state: 'Łódzkie', country: 'PL', zip: '90-001', phone_country_code: '48' },
    ...{ phone_number: '501234567', company_name: 'Żak sp. z o.o.', default_billing: true },
  }

  test('is paid as it is issued, with the billing address of that moment', async () => {
    const options = { ...operator, body: contact }
    const made = await registrar.request('POST', `/v1/customers/${id}/contacts`, options)
    assert.equal(made.status, 201, made.text)
    const session = `cs_invoice_${id}`
    const credit = () =>
      registrar.request('POST', '/v1/internal/billing/processor/top-ups', {
        ...operator,
        body: {
          ...{ customer_id: id, amount_cents: 2_500, currency: 'EUR' },
          processor_checkout_session_id: session,
        },
      })
    assert.equal((await credit()).body.credited, true)
    assert.equal((await credit()).body.credited, false)
    const { body: list } = await registrar.request('GET', pathOf(id), { token })
    assert.equal(list.invoices.length, 1)
    const [invoice] = list.invoices
    assert.deepEqual(
      [invoice.status, invoice.total_amount, invoice.currency, invoice.items.length],
      ['paid', '25.00', 'EUR', 1],
    )
    assert.equal(invoice.processor_checkout_session_id, session)
    assert.equal(invoice.buyer.company_name, 'Żak sp. z o.o.')
    assert.equal(invoice.buyer.country, 'PL')
    const path = `/v1/customers/${id}/contacts/${made.body.id}`
    await registrar.request('PATCH', path, { ...operator, body: { company_name: 'Other' } })
    const again = await registrar.request('GET', `${pathOf(id)}/${invoice.id}`, { token })
    assert.deepEqual(again.body, invoice)
    const lines = await registrar.request('GET', `/v1/customers/${id}/billing/transactions`, {
      token,
    })
    assert.equal(lines.body.transactions[0].invoice_id, invoice.id)
  })

  test('follows a simulated top-up, too', async () => {
    const body = { amount_cents: 100, currency: 'USD' }
    await registrar.request('POST', '/v1/sandbox/top-ups', { token, body })
    const { body: list } = await registrar.request('GET', `${pathOf(id)}?limit=1`, { token })
    assert.equal(list.invoices[0].total_amount, '1.00')
    assert.notEqual(list.next_cursor, null)
    const rest = `${pathOf(id)}?limit=1&cursor=${list.next_cursor}`
    const { body: older } = await registrar.request('GET', rest, { token })
    assert.equal(older.invoices[0].total_amount, '25.00')
    assert.equal(older.next_cursor, null)
  })
})

describe('the credit note of a reversal', async () => {
  const { id, key: token } = await buyer()
  const { db, settings, clock } = registrar.service.app
  const money = { customer_id: id, currency: 'USD', at: clock.now() } as const
  const reversal = {
    ...{ ...money, amount: 300n, description: 'Refund', payment_id: `refund/${id}` },
    credited_payment_id: `payment/${id}`,
  }

  test('names the invoice of the payment, which stays as it is', async () => {
    const payment = { ...money, amount: 1_000n, description: 'Top-up', payment_id: `payment/${id}` }
    const [paid, note] = await db.transaction(async (sql) => [
      await issueForPayment(sql, payment, settings),
      await creditNoteFor(sql, reversal, settings),
    ])
    const { body } = await registrar.request('GET', pathOf(id), { token })
    const [first, second] = body.invoices
    assert.deepEqual([first.id, second.id], [Number(note), Number(paid)])
    assert.deepEqual(
      [first.kind, first.credited_invoice_id, first.status, first.total_amount],
      ['credit_note', second.id, 'paid', '3.00'],
    )
    assert.deepEqual([second.status, second.total_amount], ['paid', '10.00'])
    const pdf = await registrar.request('GET', `${pathOf(id)}/${first.id}/pdf`, { token })
    const disposition = `attachment; filename="credit-note-${first.invoice_number}.pdf"`
    assert.equal(pdf.headers.get('content-disposition'), disposition)
  })

  test('is issued once for each reversal, and for no unknown payment', async () => {
    await assert.rejects(creditNoteFor(db, reversal, settings), { code: '23505' })
    const unknown = { ...reversal, payment_id: 'refund/x', credited_payment_id: 'payment/none' }
    await assert.rejects(creditNoteFor(db, unknown, settings), /no row/)
  })
})
