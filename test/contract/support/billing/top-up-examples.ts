// Valid calls of top-ups and of reversed payments, and their shapes.
import { type Fixture, fresh, must } from '../fixture.ts'
import { currency, fields, flag, text } from '../shape.ts'

const credits = '/v1/internal/billing/processor/top-ups'

export const topUpShapes = {
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

export const topUpExamples = {
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
