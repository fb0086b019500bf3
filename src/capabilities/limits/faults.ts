// Errors of limits: only the owner can raise these, on the page of the keys or of the apps.

import Type from 'typebox'
import { fault } from '../../kit/fault.ts'
import { currencies } from '../../kit/money.ts'
import type { DomainName, GrantId } from '../../kit/random.ts'
import { amount, dateTime, nullable, oneOf, stringOf } from '../../kit/schema.ts'
import { limitEntryShape } from './limit-fields.ts'

/** For `page` of an occurrence: where the owner changes the limits of an app. */
export const pageOfApps = '/connected-apps'

/** The request to the owner, in short, as a refusal shows it. */
export const approvalFact = nullable(
  Type.Object(
    {
      id: Type.String(),
      state: Type.String(),
      expires_at: dateTime('Until when it can be approved.'),
      url: Type.String({ format: 'uri', description: 'The page where the owner answers.' }),
      reason: Type.String({ description: 'Why it needs the owner.' }),
      note: Type.Optional(Type.String({ description: "The owner's note to the agent." })),
    },
    { description: 'The request that waits, or null if there is none yet.' },
  ),
)

export const addressNotAllowed = fault('address_not_allowed', 'forbidden', {
  sentence: 'This token may not be used from this address.',
  hint: 'Call from an address that the owner allowed, or ask them to add this one at "url".',
  next: 'ask_owner',
  page: '/api-keys',
})
export const domainNotAllowed = fault('domain_not_allowed', 'forbidden', {
  sentence: 'The limits of this token do not allow this domain.',
  hint:
    'Choose a name that "allowed_domains" and "allowed_tlds" allow, or ask the owner to widen ' +
    'them at "url". Nothing was sent and nothing was charged.',
  next: 'ask_owner',
  page: '/api-keys',
  facts: {
    domain: stringOf<DomainName>(),
    allowed_domains: Type.Array(Type.Array(Type.String()), {
      description: 'It must fit a pattern of each list.',
    }),
    allowed_tlds: Type.Array(Type.Array(Type.String()), {
      description: 'Each list must have its TLD.',
    }),
  },
})
export const priceAboveLimit = fault('price_above_limit', 'forbidden', {
  sentence: 'The price is above what this token may pay for one purchase.',
  hint: 'Ask the owner to buy it, or to raise "max_price" at "url". Nothing was charged.',
  next: 'ask_owner',
  page: '/api-keys',
  facts: {
    price: Type.Object({
      currency: oneOf(currencies),
      amount: amount('The price of the purchase.'),
    }),
    limit: limitEntryShape,
  },
})
export const spendLimitExceeded = fault('spend_limit_exceeded', 'forbidden', {
  sentence: 'The price is above the remaining spending limit of this token.',
  hint:
    'Wait until "until", when the limit resets, or ask the owner to raise it at "url". ' +
    'Nothing was charged.',
  next: 'ask_owner',
  page: '/api-keys',
  facts: {
    price: Type.Object({
      currency: oneOf(currencies),
      amount: amount('The price of the purchase.'),
    }),
    limit: limitEntryShape,
  },
})
export const currencyNotAllowed = fault('currency_not_allowed', 'forbidden', {
  sentence: 'The limits of this token are in another currency, and restrict it to that one.',
  hint: 'Buy in the currency of the limits, or ask the owner to change them at "url".',
  next: 'ask_owner',
  page: '/api-keys',
  facts: {
    price: Type.Object({
      currency: oneOf(currencies),
      amount: amount('The price of the purchase.'),
    }),
    limit: limitEntryShape,
  },
})
export const approvalRequired = fault('approval_required', 'forbidden', {
  sentence: "This needs the owner's approval.",
  hint:
    'Ask the owner to approve it at "url", and wait with wait_for_approval: once it is approved, ' +
    'the service carries it out, and the approval names the operation. Nothing was charged.',
  next: 'ask_owner',
  page: '/approvals',
  facts: {
    approval: approvalFact,
    price: Type.Object({
      currency: oneOf(currencies),
      amount: amount('The price of the purchase.'),
    }),
    limit: limitEntryShape,
  },
})
export const buyerEnded = fault('buyer_ended', 'forbidden', {
  sentence:
    'The API key or the app may no longer buy: it is expired or revoked, or has lost the scope ' +
    'domains:purchase.',
  hint:
    'Ask the owner at "url" for another one. If it turned on automatic renewal, the owner can ' +
    'turn that on again, or renew manually. Nothing was charged.',
  next: 'ask_owner',
  page: '/api-keys',
})
export const limitNotHeld = fault('limit_not_held', 'forbidden', {
  sentence: 'A token cannot grant, or take over, a limit wider than its own.',
  hint: 'Name an "expires_at" not later than that of your own key, or ask the owner.',
  facts: {
    limits_not_held: Type.Array(Type.String(), {
      description: 'The limits that would be wider than the caller’s.',
    }),
    oauth_grant_id: stringOf<GrantId>({ description: 'The consent that the caller ends with.' }),
    expires_at: dateTime('When the caller ends.'),
  },
})
