// Faults of checkouts.
import Type from 'typebox'
import { fault } from '../../../kit/fault.ts'

export const topUpNotFound = fault('checkout_not_found', 'absent', {
  sentence: 'There is no such top-up.',
  hint: 'List the top-ups of the account to find its id.',
})
export const gatewayUnavailable = fault('gateway_unavailable', 'unavailable', {
  sentence: 'The payment gateway cannot be reached, or has no current rate.',
  hint: 'Try again after Retry-After; no payment is lost in the meantime.',
})
export const assetNotOffered = fault('asset_not_offered', 'conflict', {
  sentence: 'The gateway does not offer this asset on this network.',
  hint: 'Choose one of the assets of the top-up.',
  next: 'fix_request',
  facts: { assets: Type.Array(Type.Object({ asset: Type.String(), network: Type.String() })) },
})
export const checkoutStarted = fault('checkout_started', 'conflict', {
  sentence: 'This top-up was started with another asset, or has ended.',
  hint: 'Read it, or create another one.',
})
export const tooManyTopUps = fault('too_many_open_top_ups', 'conflict', {
  sentence: 'This account has reached its limit of open top-ups.',
  hint: 'Pay an open one, or wait until one has expired.',
  next: 'wait_and_retry',
  facts: {
    most_open: Type.Integer({
      minimum: 1,
      description: 'The number of top-ups that may be open at once.',
    }),
  },
})
export const startsLimited = fault('top_ups_limited', 'limited', {
  sentence: 'This account has started too many top-ups in a short time.',
  hint: 'Try again after Retry-After.',
})
export const webhookTokenInvalid = fault('webhook_token_invalid', 'unauthenticated', {
  sentence: 'The token of the webhook is not valid.',
  hint: 'Use the value of GATEWAY_WEBHOOK_TOKEN in the URL of the webhook.',
})
