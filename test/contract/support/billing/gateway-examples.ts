// Valid calls of top-ups through a payment gateway, and their shapes.
import { webhookToken } from '../../../support/node.ts'
import { rowsIn } from '../../../support/owner-sql.ts'
import { type Fixture, must } from '../fixture.ts'
import {
  currency,
  fields,
  flag,
  integer,
  list,
  moment,
  money,
  orNull,
  text,
  words,
} from '../shape.ts'

const checkouts = '/v1/customers/{customer_id}/billing/gateway/checkouts'
const x402 = '/v1/customers/{customer_id}/billing/x402/top-ups'
const decimal = { type: 'string', pattern: '^\\d+(\\.\\d+)?$' }
const checkout = fields({
  id: { type: 'string', pattern: '^chk_[0-9a-hjkmnp-tv-z]{26}$' },
  customer_id: text,
  amount_cents: integer,
  currency,
  status: words(
    ...['created', 'awaiting_payment', 'confirming', 'paid', 'underpaid', 'expired', 'failed'],
  ),
  asset: orNull(text),
  network: orNull(text),
  pay_address: orNull(text),
  pay_amount: orNull(decimal),
  payment_uri: orNull(text),
  confirmations: integer,
  required_confirmations: orNull(integer),
  received_amount: orNull(decimal),
  expires_at: moment,
  credited_amount: money,
  transactions: list(fields({ id: text, transaction_id: text })),
  created_at: moment,
  updated_at: moment,
})

const parked = '/v1/internal/billing/parked-payments'
const parkedPayment = fields({ id: text, customer_id: text, credited_amount: money })

export const gatewayShapes = {
  [`GET ${parked}`]: fields({ payments: list(parkedPayment), next_cursor: orNull(text) }),
  [`POST ${parked}/{payment_id}/credit`]: parkedPayment,
  [`POST ${parked}/{payment_id}/dismiss`]: parkedPayment,
  'GET /v1/customers/{customer_id}/billing/gateway/config': fields({ gateway: text }),
  [`GET ${checkouts}`]: fields({ checkouts: list(checkout) }),
  [`POST ${checkouts}`]: checkout,
  [`GET ${checkouts}/{checkout_id}/assets`]: fields({
    assets: list(fields({ asset: text, network: text, pay_amount: orNull(decimal) })),
  }),
  [`POST ${checkouts}/{checkout_id}/start`]: checkout,
  [`GET ${checkouts}/{checkout_id}`]: checkout,
  [`POST ${checkouts}/{checkout_id}/report`]: checkout,
  'POST /v1/billing/gateway/webhook': fields({ received: flag }),
  'POST /v1/billing/payments/check': fields({
    checked: integer,
    credited: integer,
    checkouts: list(checkout),
  }),
  [`POST ${x402}`]: fields({
    top_up: checkout,
    settlement: fields({
      state: words('stored', 'submitted', 'settled'),
      transaction_id: orNull(text),
      network: text,
      payer: text,
    }),
  }),
}

const reads = { access: 'billing:read', operator: true }
const writes = { access: 'billing:write', operator: false }
const of = ({ id }: Fixture) => ({ path: { customer_id: id } })

async function freshCheckout({ registrar, id, key }: Fixture, asset?: string) {
  const body = { amount_cents: 2500, currency: 'USD', ...(asset === undefined ? {} : { asset }) }
  const at = `/v1/customers/${id}/billing/gateway/checkouts`
  const made = await must(registrar.request('POST', at, { token: key, body }))
  return { path: { customer_id: id, checkout_id: made.body.id } }
}

const operators = { access: 'operator', operator: true }

/** The gateway shows it, and it is parked as if USDC had been off its peg, but without an alarm. */
async function freshParked(fixture: Fixture) {
  const { path } = await freshCheckout(fixture, 'USDC')
  const { registrar, key: token } = fixture
  const gateway = registrar.payments?.gateway
  const invoice = gateway?.invoices().find(({ metadata }) => metadata.orderId === path.checkout_id)
  if (!gateway || !invoice) throw new Error('the simulated gateway has no such invoice')
  const method = invoice.methods[0] ?? ''
  const { id } = gateway.pay(invoice.id, method, BigInt(invoice.prices[method] ?? '0'))
  const at = `/v1/customers/${path.customer_id}/billing/gateway/checkouts/${path.checkout_id}`
  const body = { transaction_id: id }
  const reported = await must(registrar.request('POST', `${at}/report`, { token, body }))
  const payment_id: string = reported.body.transactions[0].id
  const query = rowsIn(registrar)
  // The rest happens before it is confirmed, so that no job credits it.
  const parks = `treatment = 'parked', reason = 'off_peg'`
  await query(`update checkout_payments set ${parks} where id = $1`, [payment_id])
  gateway.confirm(id)
  const confirms = `state = 'confirmed', confirmations = 2, observed_at = clock_timestamp()`
  await query(`update checkout_payments set ${confirms} where id = $1`, [payment_id])
  return { path: { payment_id } }
}

export const gatewayExamples = {
  [`GET ${parked}`]: {
    ...operators,
    make: async (fixture: Fixture) => {
      await freshParked(fixture)
      return { query: { limit: '2' } }
    },
  },
  [`POST ${parked}/{payment_id}/credit`]: {
    ...operators,
    make: async (fixture: Fixture) => ({
      ...(await freshParked(fixture)),
      body: { amount_cents: 100, reason: 'Agreed with the customer' },
    }),
  },
  [`POST ${parked}/{payment_id}/dismiss`]: {
    ...operators,
    make: async (fixture: Fixture) => ({
      ...(await freshParked(fixture)),
      body: { reason: 'Sent back' },
    }),
  },
  'GET /v1/customers/{customer_id}/billing/gateway/config': { ...reads, make: of },
  [`GET ${checkouts}`]: {
    ...reads,
    make: (fixture: Fixture) => ({ ...of(fixture), query: { status: 'all', limit: '5' } }),
  },
  [`POST ${checkouts}`]: {
    ...writes,
    make: (fixture: Fixture) => ({
      ...of(fixture),
      body: { amount_cents: 2500, currency: 'USD', asset: 'USDC' },
    }),
  },
  [`GET ${checkouts}/{checkout_id}/assets`]: {
    ...reads,
    make: (fixture: Fixture) => freshCheckout(fixture),
  },
  [`POST ${checkouts}/{checkout_id}/start`]: {
    ...writes,
    make: async (fixture: Fixture) => ({
      ...(await freshCheckout(fixture)),
      body: { asset: 'USDC', network: 'base' },
    }),
  },
  [`GET ${checkouts}/{checkout_id}`]: {
    ...reads,
    make: (fixture: Fixture) => freshCheckout(fixture, 'USDC'),
  },
  [`POST ${checkouts}/{checkout_id}/report`]: {
    ...writes,
    make: async (fixture: Fixture) => ({
      ...(await freshCheckout(fixture, 'USDC')),
      body: { transaction_id: '0x6f1c2d0e8b7a4f53' },
    }),
  },
  'POST /v1/billing/gateway/webhook': {
    access: 'public',
    operator: true,
    make: () => ({ query: { token: webhookToken } }),
  },
  'POST /v1/billing/payments/check': { ...writes, make: () => ({ body: {} }) },
  [`POST ${x402}`]: {
    ...writes,
    make: (fixture: Fixture) => ({ ...of(fixture), body: { amount_cents: 2500 } }),
  },
}
