// Faults of purchases, and those that purchases share with updates. Each is thrown before anything
// is sent, or after the registry's final word.

import Type from 'typebox'
import { fault } from '../../kit/fault.ts'
import { currencies } from '../../kit/money.ts'
import { amount, dateTime, nullable, oneOf } from '../../kit/schema.ts'
import { domainStatus, operationShape, price, registryStatuses } from './schemas.ts'

export const domainNotSupported = fault('domain_not_supported', 'conflict', {
  sentence: 'This TLD is not sold here.',
  hint: 'get_domain_pricing (GET /v1/pricing/tlds) lists the TLDs that can be bought.',
  next: 'choose_alternative',
})
export const domainTaken = fault('domain_taken', 'conflict', {
  sentence: 'The domain is not available.',
  hint: 'Choose another name; check_domain_availability (POST /v1/domains/check) checks up to 200.',
  next: 'choose_alternative',
  facts: { charged: Type.Literal(false, { description: 'Nothing was charged.' }) },
})
export const domainAlreadyHeld = fault('domain_already_held', 'conflict', {
  sentence: 'You already hold this domain.',
  hint: 'Read it (get_domain, GET /v1/domains/{domain}), or renew it (renew_domain).',
  facts: { holding: domainStatus },
})
export const domainNotFound = fault('domain_not_found', 'absent', {
  sentence: 'You hold no such domain.',
  hint: 'list_domains (GET /v1/domains) lists your domains.',
})
export const operationNotFound = fault('operation_not_found', 'absent', {
  sentence: 'You have no such operation.',
  hint: 'The id is "operation.id" of a domain: see get_domain.',
})
export const receiptUnavailable = fault('receipt_unavailable', 'conflict', {
  sentence: 'The operation was not paid, so there is no receipt.',
  hint: 'Read its state (get_operation): one that is "succeeded" has a receipt.',
})
export const premiumNotAllowed = fault('premium_not_allowed', 'conflict', {
  sentence: 'The domain has a premium price, and allow_premium is not true.',
  hint:
    'If your owner agreed to this premium price ("price"), send the request again with ' +
    '"allow_premium": true and "price" as max_price; otherwise ask your owner first.',
  next: 'confirm_price',
  facts: { price },
})
export const priceChanged = fault('price_changed', 'conflict', {
  sentence: 'The price is not the one you expected.',
  hint:
    'If "price" is within the limit that your owner gave, send the request again with "price" as ' +
    'max_price; otherwise ask your owner first.',
  next: 'confirm_price',
  facts: { price, charged: Type.Literal(false, { description: 'Nothing was charged.' }) },
})
export const priceUnavailable = fault('price_unavailable', 'conflict', {
  sentence: 'No price is known for this in this currency.',
  hint: 'Try another currency, or another TLD; get_domain_pricing lists prices.',
  next: 'choose_alternative',
})
export const periodNotAllowed = fault('period_not_allowed', 'conflict', {
  sentence: 'The registry does not sell this many years at once.',
  hint: 'Use a period_years within "periods".',
  next: 'fix_request',
  facts: { periods: Type.Object({ min: Type.Integer(), max: Type.Integer() }) },
})
export const insufficientFunds = fault('insufficient_funds', 'unpaid', {
  sentence: 'The balance does not cover the price.',
  hint:
    'Call create_top_up for at least "missing", or ask the owner to pay at "url"; nothing was ' +
    'sent to the registry.',
  page: '/billing/top-up',
  facts: {
    price,
    balance: amount('The amount that can be spent.'),
    shortfall: amount('The missing part of the price, with the debt in its currency.'),
    currency: oneOf(currencies),
    other_balances: Type.Array(
      Type.Object({
        currency: oneOf(currencies),
        available: amount('The amount that can be spent.'),
      }),
    ),
    missing: Type.Array(
      Type.Object({
        currency: oneOf(currencies),
        amount: amount('The amount to add.'),
        amount_cents: Type.Integer({
          minimum: 1,
          description: 'The same in minor units, for create_top_up.',
        }),
      }),
      { description: 'The amounts to add, by currency.' },
    ),
    owed: Type.Array(
      Type.Object({
        currency: Type.String(),
        amount: amount('The rest of a payment that was reversed.'),
      }),
    ),
    required_scope: Type.String({
      description: 'The scope without which the token cannot start a top-up.',
    }),
  },
})
export const registrantRequired = fault('registrant_required', 'conflict', {
  sentence: 'A domain needs a registrant, and neither the request nor the account names one.',
  hint:
    'Send "contact", or create one with default_registrant true (create_contact, or the owner ' +
    'at "url"). Use the real data of the owner.',
  next: 'fix_request',
  page: '/contacts',
  facts: {
    contact: Type.Object(
      { id: Type.Integer(), handle: Type.String() },
      { description: 'A contact that could be named.' },
    ),
  },
})
export const nameserversRequired = fault('nameservers_required', 'conflict', {
  sentence:
    'The registry needs the name servers with the transfer, and those that the domain has ' +
    'now could not be read from DNS; nothing was held or sent.',
  hint:
    'Send "nameservers" (and "glue" for those within the domain); its current ones keep the site ' +
    'and the mail of the domain working.',
  next: 'fix_request',
})
export const orderOpen = fault('order_open', 'conflict', {
  sentence: 'A different order for this domain is in progress.',
  hint: 'Read the domain (get_domain) until its operation has ended, then send this again.',
  next: 'wait_and_retry',
  retryable: true,
  facts: { operation: operationShape },
})
export const domainPending = fault('domain_pending', 'conflict', {
  sentence: 'The domain is ordered, but the order is not complete yet, so it cannot be changed.',
  hint: 'Read the domain (get_domain) until its operation has ended, then send this again.',
  next: 'wait_and_retry',
  retryable: true,
  facts: { operation: operationShape },
})
export const contactDeleted = fault('contact_deleted', 'conflict', {
  sentence:
    'A contact of this request was deleted before the order was placed; nothing was bought.',
  hint: 'Send the request again: it uses the current contacts, or names the missing one.',
  next: 'wait_and_retry',
  retryable: true,
})
export const keyInUse = fault('idempotency_key_in_use', 'conflict', {
  sentence: 'The first request with this Idempotency-Key is still running.',
  hint: 'Wait a moment and send the request again: it returns the first response.',
  next: 'wait_and_retry',
  retryable: true,
})
export const registryRefused = fault('registry_refused', 'conflict', {
  sentence: 'The registry refused the request.',
  hint: 'Its message is in "detail"; nothing was charged.',
  next: 'fix_request',
  facts: { charged: Type.Literal(false, { description: 'Nothing was charged.' }) },
})
export const registryUnreachable = fault('registry_unreachable', 'unavailable', {
  sentence: 'The registry is not responding at the moment; nothing was ordered.',
  hint: 'Try again after Retry-After.',
})
export const expiryChanged = fault('expiry_changed', 'conflict', {
  sentence: 'The domain no longer expires when you expected; nothing was charged.',
  hint: 'Read the domain; if it still needs years, renew with expected_expiry set to its "expiry".',
  next: 'read_back',
  facts: {
    holding: domainStatus,
    charged: Type.Literal(false, { description: 'Nothing was charged.' }),
  },
})
export const expiryUnexplained = fault('expiry_unexplained', 'conflict', {
  sentence: 'The registry shows another expiry than the one paid for, and nothing explains it.',
  hint:
    'Nothing was sent or charged, and the operators are alarmed: they settle who paid. Until ' +
    'then the registry keeps the domain until "registry_expiry".',
  next: 'contact_support',
  facts: {
    registry_expiry: dateTime('The expiry that the registry shows.'),
    holding: domainStatus,
  },
})
export const recentlyRenewed = fault('recently_renewed', 'conflict', {
  sentence: 'The same renewal was paid within the last 24 hours; nothing was charged again.',
  hint: 'If you want more years, send expected_expiry set to "expiry" in "holding".',
  next: 'read_back',
  facts: { holding: domainStatus },
})
export const termTooLong = fault('term_too_long', 'conflict', {
  sentence: 'A domain can be paid for up to ten years ahead.',
  hint: 'Use a period_years up to "latest.period_years"; if that is 0, none can be bought now.',
  next: 'fix_request',
  facts: {
    latest: Type.Object({
      period_years: Type.Integer({
        minimum: 0,
        description: 'The most years that can be paid for now, which may be 0.',
      }),
      expiry: dateTime('The latest possible expiry.'),
    }),
  },
})
export const notRenewable = fault('not_renewable', 'conflict', {
  sentence: 'The domain cannot be renewed in its current status.',
  hint: 'Read the domain; its next_actions say what is possible (a restore from redemption, say).',
  next: 'read_back',
  facts: { holding: domainStatus, price },
})
export const notInRedemption = fault('not_in_redemption', 'conflict', {
  sentence: 'Only a domain in redemption can be restored.',
  hint: 'Read the domain; its next_actions say what is possible.',
  next: 'read_back',
  facts: { holding: domainStatus },
})
export const notTransferable = fault('not_transferable', 'conflict', {
  sentence: 'The domain is not registered, so it cannot be transferred.',
  hint: 'Register it (register_domain, POST /v1/domains).',
  next: 'choose_alternative',
})
export const heldHere = fault('held_here', 'conflict', {
  sentence: 'The domain is already with this registrar, in another account.',
  hint: 'Its holder can hand it over through support; a transfer is for other registrars.',
  next: 'contact_support',
})
export const authCodeWrong = fault('auth_code_wrong', 'conflict', {
  sentence: 'The registry does not accept this authorization code; nothing was charged.',
  hint: 'Get a fresh code from the registrar that holds the domain.',
  next: 'fix_request',
  facts: { charged: Type.Literal(false, { description: 'Nothing was charged.' }) },
})
export const transferRefused = fault('transfer_refused', 'conflict', {
  sentence: 'The registry refused the transfer; nothing was charged.',
  hint: 'Its message is in "detail": a lock, 60 days after registration, or a pending transfer.',
  next: 'fix_request',
  facts: { charged: Type.Literal(false, { description: 'Nothing was charged.' }) },
})
export const transferRejected = fault('transfer_rejected', 'conflict', {
  sentence: 'The registrar that holds the domain rejected the transfer; nothing was charged.',
  hint: 'Ask that registrar for the reason, then start again with a fresh code.',
  next: 'ask_owner',
  facts: { charged: Type.Literal(false, { description: 'Nothing was charged.' }) },
})
export const transferCancelled = fault('transfer_cancelled', 'conflict', {
  sentence: 'The transfer was canceled; nothing was charged.',
  hint: 'If you still want it, start again with a fresh code.',
  next: 'fix_request',
  facts: { charged: Type.Literal(false, { description: 'Nothing was charged.' }) },
})
export const noTransferPending = fault('no_transfer_pending', 'conflict', {
  sentence: 'No transfer of this domain is pending.',
  hint: 'Read the domain; a transfer that the registry has not accepted yet cannot be canceled.',
  next: 'read_back',
  facts: { holding: nullable(domainStatus), ...registryStatuses },
})
export const dnsNotHosted = fault('dns_not_hosted', 'conflict', {
  sentence: 'The domain is not on our name servers, so a record here would have no effect.',
  hint:
    'Set the name servers listed in "nameservers" (update_nameservers, PATCH ' +
    '/v1/domains/{domain}), then try again.',
  next: 'fix_request',
  facts: { nameservers: Type.Array(Type.String(), { description: 'Our name servers.' }) },
})
export const notChangeable = fault('not_changeable', 'conflict', {
  sentence: 'The domain cannot be changed in its current status; nothing was sent.',
  hint:
    'Read the domain: its statuses show what prevents the change, and next_actions what is ' +
    'possible.',
  facts: { holding: domainStatus, ...registryStatuses },
})
/** A hint for a status that only a registrar sets, and that we did not set. */
export const unlockFirst =
  'unlock_domain: POST /v1/domains/{domain}/unlock takes the status off; then send this again.'
export const glueRequired = fault('glue_required', 'conflict', {
  sentence: 'Name servers within the domain itself need addresses, and the registry knows none.',
  hint: 'Send "nameservers", and "glue" with the addresses of each host in "hosts".',
  next: 'fix_request',
  facts: {
    hosts: Type.Array(Type.String(), { description: 'The hosts without a known address.' }),
  },
})
