// Errors of top-ups by card.

import { fault } from '../../../kit/fault.ts'
import type { CheckoutId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'

export const checkoutNotFound = fault('card_checkout_not_found', 'absent', {
  sentence: 'There is no card checkout with this id.',
  hint: 'List the card checkouts of the customer.',
})
export const tooManyCheckouts = fault('too_many_card_checkouts', 'conflict', {
  sentence: 'The customer has reached its limit of unpaid card checkouts.',
  hint: 'Pay one of them, or wait until one expires; the list has the URL of each page.',
})
export const processorUnavailable = fault('processor_unavailable', 'unavailable', {
  sentence: 'The card processor cannot be read at the moment; nothing was credited.',
  hint: 'Try again after Retry-After.',
  facts: {
    checkout_id: stringOf<CheckoutId>({ description: 'The id of the checkout that was stored.' }),
  },
})
export const signatureInvalid = fault('webhook_signature_invalid', 'unauthenticated', {
  sentence: 'The event is not signed with the secret of this webhook, or it is too old.',
  hint: 'Compare STRIPE_WEBHOOK_SECRET with the secret of the endpoint at the processor.',
  next: 'fix_request',
})
export const topUpConflict = fault('top_up_conflict', 'conflict', {
  sentence: 'This session or payment intent was already credited with different details.',
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
