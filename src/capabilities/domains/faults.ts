// Why a purchase does not happen. Each is thrown before anything is sent, or after the registry's
// final word.
import { fault } from '../../kit/fault.ts'

export const domainNotSupported = fault('domain_not_supported', 'conflict', {
  sentence: 'No registry of ours sells this TLD.',
  hint: 'GET /v1/pricing/tlds lists the TLDs that can be bought.',
  next: 'choose_alternative',
})
export const domainTaken = fault('domain_taken', 'conflict', {
  sentence: 'The domain is not available.',
  hint: 'Choose another name; POST /v1/domains/check takes 200 at once.',
  next: 'choose_alternative',
})
export const domainAlreadyHeld = fault('domain_already_held', 'conflict', {
  sentence: 'You hold this domain already.',
  hint: 'Read it with GET /v1/domains/{domain}; renew it with POST /v1/domains/{domain}/renew.',
})
export const domainNotFound = fault('domain_not_found', 'absent', {
  sentence: 'You hold no such domain.',
  hint: 'GET /v1/domains lists what you hold.',
})
export const operationNotFound = fault('operation_not_found', 'absent', {
  sentence: 'There is no such operation of yours.',
  hint: 'The id is "operation.id" of a domain.',
})
export const premiumNotAllowed = fault('premium_not_allowed', 'conflict', {
  sentence: 'The domain has a premium price, and allow_premium is not true.',
  hint: 'If the price in "price" is right, send the same with "allow_premium": true.',
  next: 'confirm_price',
})
export const priceChanged = fault('price_changed', 'conflict', {
  sentence: 'The price is not the one you expected.',
  hint: 'If the price in "price" is right, send the same with a max_price that covers it.',
  next: 'confirm_price',
})
export const priceUnavailable = fault('price_unavailable', 'conflict', {
  sentence: 'No price is known for this in this currency.',
  hint: 'Try another currency, or another TLD; GET /v1/pricing/tlds lists prices.',
  next: 'choose_alternative',
})
export const periodNotAllowed = fault('period_not_allowed', 'conflict', {
  sentence: 'The registry does not sell this many years at once.',
  hint: 'Use a period_years within "periods".',
  next: 'fix_request',
})
export const insufficientFunds = fault('insufficient_funds', 'unpaid', {
  sentence: 'The balance does not cover the price.',
  hint: 'Ask the owner to top up at least "shortfall"; nothing was sent to the registry.',
})
export const registrantRequired = fault('registrant_required', 'conflict', {
  sentence: 'A domain needs a registrant, and neither the request nor the account names one.',
  hint: 'Create a contact with default_registrant true, or send "contact".',
  next: 'fix_request',
})
export const orderOpen = fault('order_open', 'conflict', {
  sentence: 'Another order for this domain is under way with other facts.',
  hint: 'Read the domain; wait until its operation has ended.',
})
export const keyInUse = fault('idempotency_key_in_use', 'conflict', {
  sentence: 'The first request with this Idempotency-Key is still running.',
  hint: 'Wait a moment and send the same again: it gets the first answer.',
  next: 'wait_and_retry',
  retryable: true,
})
export const registryRefused = fault('registry_refused', 'conflict', {
  sentence: 'The registry refused.',
  hint: 'Its words are in "detail"; nothing was charged.',
  next: 'fix_request',
})
export const registryUnreachable = fault('registry_unreachable', 'unavailable', {
  sentence: 'The registry does not answer at the moment; nothing was ordered.',
  hint: 'Try again after Retry-After.',
})
