// Faults of top-ups by x402. Those of status 402 have the field PAYMENT-REQUIRED.
import { fault } from '../../../kit/fault.ts'

export const paymentRequired = fault('payment_required', 'unpaid', {
  sentence: 'This top-up must be paid: PAYMENT-REQUIRED says how (x402, version 2).',
  hint:
    'Sign the authorization that it asks for, with any x402 client, and send the same request ' +
    'with PAYMENT-SIGNATURE.',
  next: 'add_funds',
})
export const paymentInvalid = fault('payment_invalid', 'unpaid', {
  sentence: 'The payment in PAYMENT-SIGNATURE cannot be settled, and nothing was taken.',
  hint: 'See "reason". Sign what PAYMENT-REQUIRED asks for now, and send the request again.',
  next: 'add_funds',
})
export const paymentFailed = fault('payment_failed', 'unpaid', {
  sentence: 'The payment was not settled: it was used, cancelled, refused, or came late.',
  hint: 'See "reason". Read the top-up before you pay again; then do as PAYMENT-REQUIRED asks.',
  next: 'read_back',
})
export const tooManyUnsettled = fault('too_many_unsettled_payments', 'limited', {
  sentence: 'Too many payments by x402 are not settled yet, or have failed lately.',
  hint: 'Send the same request after Retry-After; the authorization was not used.',
})
