// Valid calls of the balance and of invoices, and the shapes of invoices.

import { type Example, type Fixture, must } from '../fixture.ts'
import { currency, fields, integer, list, moment, money, orNull, text, words } from '../shape.ts'

const root = '/v1/customers/{customer_id}/billing/invoices'
const invoice = fields({
  id: integer,
  customer_id: text,
  invoice_number: { type: 'string', pattern: '^[0-9]{4}-[0-9]{6}$' },
  kind: words('invoice', 'credit_note'),
  credited_invoice_id: orNull(integer),
  status: words('open', 'paid', 'void'),
  currency,
  subtotal_amount: money,
  tax_amount: money,
  total_amount: money,
  notes: orNull(text),
  processor_checkout_session_id: orNull(text),
  processor_payment_intent_id: orNull(text),
  seller: fields({ name: orNull(text), address: orNull(text), tax_id: orNull(text) }),
  buyer: fields({ name: text, email: text, address: orNull(text), country: orNull(text) }),
  issued_at: moment,
  due_at: orNull(moment),
  paid_at: orNull(moment),
  voided_at: orNull(moment),
  created_at: moment,
  updated_at: moment,
  items: list(
    fields({
      id: integer,
      invoice_id: integer,
      description: text,
      quantity: integer,
      unit_amount: money,
      total_amount: money,
      created_at: moment,
    }),
  ),
})

export const billingShapes = {
  'GET /v1/customers/{customer_id}/billing/statement': fields({
    month: text,
    currency,
    opening_balance: money,
    lines: list(fields({ id: integer, created_at: moment, amount: money, balance: money })),
    closing_balance: money,
    owed: money,
  }),
  [`POST ${root}`]: invoice,
  [`GET ${root}`]: fields({ invoices: list(invoice), next_cursor: orNull(text) }),
  [`GET ${root}/{invoice_id}`]: invoice,
  [`GET ${root}/{invoice_id}/pdf`]: { type: 'string', pattern: '^%PDF-' },
  [`POST ${root}/{invoice_id}/mark-paid`]: invoice,
}

const items = [{ description: 'Consulting', quantity: 2, unit_amount: '49.50' }]
const customers = (access: string) => ({ access, operator: true })

async function freshInvoice({ registrar, id }: Fixture): Promise<Example> {
  const options = { token: registrar.operatorKey, body: { items } }
  const path = root.replace('{customer_id}', id)
  const { body } = await must(registrar.request('POST', path, options), 201)
  return { path: { customer_id: id, invoice_id: body.id } }
}

async function freshPaidInvoice(fixture: Fixture): Promise<Example> {
  const { registrar } = fixture
  const example = await freshInvoice(fixture)
  const { customer_id = '', invoice_id = '' } = example.path ?? {}
  const path = `${root.replace('{customer_id}', String(customer_id))}/${invoice_id}/mark-paid`
  await must(registrar.request('POST', path, { token: registrar.operatorKey, body: {} }))
  return example
}

export const billingExamples = {
  'GET /v1/customers/{customer_id}/billing/statement': {
    ...customers('billing:read'),
    make: ({ id }: Fixture) => ({
      path: { customer_id: id },
      query: { month: '2026-11', currency: 'USD' },
    }),
  },
  'GET /v1/customers/{customer_id}/billing/balance': {
    ...customers('billing:read'),
    make: ({ id }: Fixture) => ({ path: { customer_id: id }, query: { currency: 'USD' } }),
  },
  'GET /v1/customers/{customer_id}/billing/transactions': {
    ...customers('billing:read'),
    make: ({ id }: Fixture) => ({ path: { customer_id: id }, query: { limit: '2' } }),
  },
  [`POST ${root}`]: {
    ...customers('billing:write'),
    make: ({ id }: Fixture) => ({
      path: { customer_id: id },
      body: { currency: 'USD', items, tax_amount: '20.79', notes: 'Thank you.' },
    }),
  },
  [`GET ${root}`]: {
    ...customers('billing:read'),
    make: ({ id }: Fixture) => ({ path: { customer_id: id }, query: { limit: '2' } }),
  },
  [`GET ${root}/{invoice_id}`]: { ...customers('billing:read'), make: freshInvoice },
  [`GET ${root}/{invoice_id}/pdf`]: { ...customers('billing:read'), make: freshPaidInvoice },
  [`POST ${root}/{invoice_id}/mark-paid`]: {
    ...customers('operator'),
    make: async (fixture: Fixture) => ({
      ...(await freshInvoice(fixture)),
      body: { processor_checkout_session_id: 'cs_1', processor_payment_intent_id: 'pi_1' },
    }),
  },
}
