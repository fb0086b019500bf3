// Valid calls of top-ups and of reversed payments, and their shapes.
import { rowsIn } from '../../../support/owner-sql.ts'
import { stripeSignature } from '../../../support/payments/stripe-signature.ts'
import { type Example, type Fixture, fresh, must } from '../fixture.ts'
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
import { gatewayExamples, gatewayShapes } from './gateway-examples.ts'

const credits = '/v1/internal/billing/processor/top-ups'
const cards = '/v1/customers/{customer_id}/billing/processor/checkouts'
const cardConfig = '/v1/customers/{customer_id}/billing/processor/config'
const parked = '/v1/internal/billing/parked-card-checkouts'
const parkedReversals = '/v1/internal/billing/parked-card-reversals'
const webhook = '/v1/billing/processor/webhook'

const cardCheckout = fields({
  id: text,
  customer_id: text,
  status: words('opening', 'open', 'processing', 'paid', 'expired', 'failed', 'parked'),
  amount_cents: integer,
  currency,
  url: orNull(text),
  credited_amount: money,
  expires_at: moment,
  created_at: moment,
  updated_at: moment,
})

const parkedReversal = fields({ payment_id: text, amount: money, parked_amount: money })

export const topUpShapes = {
  ...gatewayShapes,
  [`GET ${cardConfig}`]: fields({
    processor: text,
    is_sandbox: flag,
    currencies: list(currency),
    least_amount_cents: integer,
    most_amount_cents: integer,
  }),
  [`POST ${cards}`]: cardCheckout,
  [`GET ${cards}`]: fields({ checkouts: list(cardCheckout), next_cursor: orNull(text) }),
  [`GET ${cards}/{checkout_id}`]: cardCheckout,
  [`GET ${parked}`]: fields({
    checkouts: list(fields({ id: text, session_id: orNull(text), reason: text })),
    next_cursor: orNull(text),
  }),
  [`POST ${parked}/{checkout_id}/dismiss`]: cardCheckout,
  [`GET ${parkedReversals}`]: fields({
    reversals: list(parkedReversal),
    next_cursor: orNull(text),
  }),
  [`POST ${parkedReversals}/dismiss`]: parkedReversal,
  [`POST ${webhook}`]: fields({ received: flag }),
  [`POST ${credits}`]: fields({ customer_id: text, currency }),
  'POST /v1/internal/billing/reversals': fields({
    customer_id: text,
    payment_id: text,
    reversal_id: text,
    posted: flag,
  }),
}

const freshCredit = ({ id }: Fixture) => ({
  customer_id: id,
  amount_cents: 1234,
  currency: 'USD',
  processor_checkout_session_id: fresh('session'),
})

async function freshPayment({ registrar, ...fixture }: Fixture): Promise<string> {
  const body = freshCredit({ registrar, ...fixture })
  await must(registrar.request('POST', credits, { token: registrar.operatorKey, body }))
  return `processor/${body.processor_checkout_session_id}`
}

const operators = { access: 'operator', operator: true }

/** Each customer has one, because the number of open ones is limited. */
const opened = new Map<string, Promise<string>>()

function cardCheckoutOf(fixture: Fixture): Promise<string> {
  const made = opened.get(fixture.id) ?? openCardCheckout(fixture)
  opened.set(fixture.id, made)
  return made
}

/** A suspended customer has one that failed earlier. */
async function openCardCheckout({ registrar, id, key }: Fixture): Promise<string> {
  const path = cards.replace('{customer_id}', id)
  const made = await registrar.request('POST', path, { token: key, body: { amount_cents: 2_500 } })
  if (made.body.code !== 'account_suspended')
    return String((await must(Promise.resolve(made), 201)).body.id)
  const [row] = await rowsIn(registrar)(
    `insert into card_checkouts
       (id, customer_id, currency, amount_cents, status, return_url, expires_at, created_at)
     values ('ctp_' || substr($1, 5), $1, 'USD', 2500, 'failed', 'https://a.example', now(), now())
     returning id`,
    [id],
  )
  return String(row?.id)
}

/** The payment looks as if its session had shown another amount, but without an alarm. */
async function freshParked({ registrar, id, key }: Fixture): Promise<string> {
  const path = cards.replace('{customer_id}', id)
  const options = { token: key, body: { amount_cents: 2_500 } }
  const { body } = await must(registrar.request('POST', path, options), 201)
  const parks = `status = 'parked', parked_reason = 'amount'`
  await rowsIn(registrar)(`update card_checkouts set ${parks} where id = $1`, [body.id])
  return String(body.id)
}

/** The event is about no payment. */
function signedEvent(): Example {
  const object = { object: 'balance' }
  const event = { id: 'evt_1', type: 'balance.available', livemode: false, data: { object } }
  return { body: event, headers: { 'stripe-signature': stripeSignature(JSON.stringify(event)) } }
}

/** A payment of which 5.00 too much was refunded. */
async function freshReversal(fixture: Fixture): Promise<string> {
  const payment_id = await freshPayment(fixture)
  const reading = 'insert into card_readings (payment_id, begun, parked_cents) values ($1, 1, 500)'
  await rowsIn(fixture.registrar)(reading, [payment_id])
  return payment_id
}

export const topUpExamples = {
  ...gatewayExamples,
  [`GET ${cardConfig}`]: {
    access: 'billing:read',
    operator: true,
    make: ({ id }: Fixture) => ({ path: { customer_id: id } }),
  },
  [`POST ${cards}`]: {
    access: 'billing:write',
    operator: false,
    make: ({ id }: Fixture) => ({
      path: { customer_id: id },
      body: { amount_cents: 2_500, currency: 'EUR' },
    }),
  },
  [`GET ${cards}`]: {
    access: 'billing:read',
    operator: true,
    make: async (fixture: Fixture) => {
      await cardCheckoutOf(fixture)
      return { path: { customer_id: fixture.id }, query: { limit: '2' } }
    },
  },
  [`GET ${cards}/{checkout_id}`]: {
    access: 'billing:read',
    operator: true,
    make: async (fixture: Fixture) => ({
      path: { customer_id: fixture.id, checkout_id: await cardCheckoutOf(fixture) },
    }),
  },
  [`GET ${parked}`]: {
    ...operators,
    make: async (fixture: Fixture) => {
      await freshParked(fixture)
      return { query: { limit: '1' } }
    },
  },
  [`POST ${parked}/{checkout_id}/dismiss`]: {
    ...operators,
    make: async (fixture: Fixture) => ({
      path: { checkout_id: await freshParked(fixture) },
      body: { reason: 'Refunded at the processor' },
    }),
  },
  [`GET ${parkedReversals}`]: {
    ...operators,
    make: async (fixture: Fixture) => {
      await freshReversal(fixture)
      return { query: { limit: '1' } }
    },
  },
  [`POST ${parkedReversals}/dismiss`]: {
    ...operators,
    make: async (fixture: Fixture) => ({
      body: {
        payment_id: await freshReversal(fixture),
        amount_cents: 500,
        reason: 'Taken from the balance by an adjustment',
      },
    }),
  },
  [`POST ${webhook}`]: { access: 'public', operator: true, make: signedEvent },
  [`POST ${credits}`]: {
    ...operators,
    make: (fixture: Fixture) => ({ body: freshCredit(fixture) }),
  },
  'POST /v1/internal/billing/reversals': {
    ...operators,
    make: async (fixture: Fixture) => ({
      body: {
        payment_id: await freshPayment(fixture),
        reversal_id: fresh('refund'),
        kind: 'refund',
        amount_cents: 1234,
        reason: 'Refunded by bank transfer',
      },
    }),
  },
}
