// Valid calls of bookkeepers' reports and of corrections, and their shapes.
import { type Fixture, fresh } from '../fixture.ts'
import { currency, fields, flag, integer, list, moment, money, orNull, text } from '../shape.ts'

const corrected = {
  customer_id: text,
  currency,
  amount: money,
  posted: flag,
  ledger_transaction_id: integer,
  available: money,
}

export const bookkeepingShapes = {
  'GET /v1/internal/ledger/trial-balance': fields({
    at: moment,
    complete: flag,
    accounts: list(fields({ code: text, currency, debits: money, credits: money, balance: money })),
    currencies: list(fields({ currency, debits: money, credits: money, balanced: flag })),
    comparison: orNull(fields({ customers: integer, differing: integer })),
    sound: flag,
  }),
  'GET /v1/internal/ledger/transfers': fields({
    transfers: list(
      fields({
        id: integer,
        created_at: moment,
        debit_account: text,
        credit_account: text,
        customer_id: orNull(text),
        currency,
        amount: money,
        phase: text,
        code: text,
        payment_id: orNull(text),
        operation_id: orNull(text),
      }),
    ),
    next_cursor: orNull(text),
    complete: flag,
  }),
  'GET /v1/internal/billing/payments': fields({
    payments: list(
      fields({ id: text, customer_id: text, currency, amount: money, reversed: money }),
    ),
    next_cursor: orNull(text),
  }),
  'POST /v1/internal/billing/adjustments': fields({ adjustment_id: text, ...corrected }),
  'POST /v1/internal/billing/order-refunds': fields({
    refund_id: text,
    operation_id: text,
    ...corrected,
    refundable: money,
  }),
  'POST /v1/internal/billing/reserve-releases': fields({
    customer_id: text,
    currency,
    reserved: money,
    available: money,
  }),
}

const operators = { access: 'operator', operator: true }
const today = () => new Date().toISOString().slice(0, 10)

export const bookkeepingExamples = {
  'GET /v1/internal/ledger/trial-balance': {
    ...operators,
    make: () => ({}),
  },
  'GET /v1/internal/ledger/transfers': {
    ...operators,
    make: () => ({ query: { from: today(), to: today(), limit: '2' } }),
  },
  'GET /v1/internal/billing/payments': {
    ...operators,
    make: ({ id }: Fixture) => ({ query: { customer_id: id } }),
  },
  'POST /v1/internal/billing/adjustments': {
    ...operators,
    make: ({ id }: Fixture) => ({
      body: {
        customer_id: id,
        amount_cents: 500,
        currency: 'USD',
        reason: 'Goodwill for the outage of 20 November',
        adjustment_id: fresh('adjustment'),
      },
    }),
  },
  'POST /v1/internal/billing/order-refunds': {
    ...operators,
    make: ({ order_id }: Fixture) => ({
      body: {
        operation_id: order_id,
        amount_cents: 1,
        reason: 'Charged twice by mistake',
        refund_id: fresh('refund'),
      },
    }),
  },
  'POST /v1/internal/billing/reserve-releases': {
    ...operators,
    make: ({ id }: Fixture) => ({
      body: { customer_id: id, currency: 'USD', reason: 'The owner has died' },
    }),
  },
}
