// Faults of top-ups by x402. Those of status 402 have the field PAYMENT-REQUIRED.

import Type from 'typebox'
import { fault } from '../../../kit/fault.ts'
import { dateTime } from '../../../kit/schema.ts'

const x402Facts = {
  reason: Type.String({
    description: 'The reason why the payment was not taken, as x402 names it.',
  }),
  failed_top_up_id: Type.String({ description: 'The top-up of the payment that failed.' }),
  top_up_id: Type.String({ description: 'The id of the top-up to pay.' }),
  expires_at: dateTime('Until when it can be paid.'),
  payment_required: Type.Object(
    {
      x402Version: Type.Integer(),
      error: Type.String(),
      resource: Type.Object({
        url: Type.String(),
        description: Type.String(),
        mimeType: Type.String(),
      }),
      accepts: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    },
    { description: 'The contents of PAYMENT-REQUIRED (x402, version 2).' },
  ),
}

export const paymentRequired = fault('payment_required', 'unpaid', {
  sentence: 'This top-up must be paid: PAYMENT-REQUIRED says how (x402, version 2).',
  hint:
    'Sign the authorization that it asks for, with any x402 client, and send the same request ' +
    'with PAYMENT-SIGNATURE.',
  next: 'add_funds',
  facts: { ...x402Facts },
})
export const paymentInvalid = fault('payment_invalid', 'unpaid', {
  sentence: 'The payment in PAYMENT-SIGNATURE cannot be settled, and nothing was taken.',
  hint: 'See "reason". Sign what PAYMENT-REQUIRED asks for now, and send the request again.',
  next: 'add_funds',
  facts: { ...x402Facts },
})
export const paymentFailed = fault('payment_failed', 'unpaid', {
  sentence: 'The payment was not settled: it was used, canceled, refused, or came late.',
  hint: 'See "reason". Read the top-up before you pay again; then do as PAYMENT-REQUIRED asks.',
  next: 'read_back',
  facts: { ...x402Facts },
})
export const tooManyUnsettled = fault('too_many_unsettled_payments', 'limited', {
  sentence: 'Too many payments by x402 are not settled yet, or have failed lately.',
  hint: 'Send the same request after Retry-After; the authorization was not used.',
})
