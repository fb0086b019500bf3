// Errors of top-ups by card.
import { fault } from '../../../kit/fault.ts'

export const checkoutNotFound = fault('card_checkout_not_found', 'absent', {
  sentence: 'There is no card checkout with this id.',
  hint: 'List the card checkouts of the customer.',
})
export const tooManyCheckouts = fault('too_many_card_checkouts', 'conflict', {
  sentence: 'The customer has as many unpaid card checkouts as it may have.',
  hint: 'Have one of them paid, or wait until one expires; list them for their pages.',
})
export const processorUnavailable = fault('processor_unavailable', 'unavailable', {
  sentence: 'The card processor cannot be read at the moment; nothing was credited.',
  hint: 'Try again after Retry-After.',
})
export const signatureInvalid = fault('webhook_signature_invalid', 'unauthenticated', {
  sentence: 'The event is not signed with the secret of this webhook, or it is too old.',
  hint: 'Compare STRIPE_WEBHOOK_SECRET with the secret of the endpoint at the processor.',
  next: 'fix_request',
})
export const topUpConflict = fault('top_up_conflict', 'conflict', {
  sentence: 'This session or payment intent was credited with other facts.',
  hint: 'Compare customer, amount, currency and ids with the processor; nothing was credited now.',
})
export const paymentUnverified = fault('top_up_not_verified', 'conflict', {
  sentence: 'The processor does not show this payment as it was reported.',
  hint: 'Compare the session with the processor; nothing was credited.',
})
export const creditedCustomerUnknown = fault('top_up_customer_not_found', 'absent', {
  sentence: 'There is no customer with this id to credit.',
  hint: 'Check customer_id; nothing was credited.',
})
