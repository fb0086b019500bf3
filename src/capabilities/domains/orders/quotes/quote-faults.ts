// Errors of quotes. Each is thrown before anything is held or sent.

import Type from 'typebox'
import { fault } from '../../../../kit/fault.ts'
import type { DomainName, OrderId } from '../../../../kit/random.ts'
import { stringOf } from '../../../../kit/schema.ts'
import { price } from '../../schemas.ts'

const again = 'create_quote (POST /v1/quotes) makes a new one; or leave out quote_id.'

export const quoteNotFound = fault('quote_not_found', 'absent', {
  sentence: 'You have no such quote.',
  hint: again,
})
export const quoteExpired = fault('quote_expired', 'conflict', {
  sentence: 'The quote has expired.',
  hint:
    'If the price of a new quote (create_quote, POST /v1/quotes) is within the limit that your ' +
    'owner gave, buy with that quote; otherwise ask your owner first.',
  next: 'confirm_price',
  facts: { price },
})
export const quoteUsed = fault('quote_used', 'conflict', {
  sentence: 'The quote has already been used for an order.',
  hint: `Read that operation (get_operation). ${again}`,
  facts: { operation_id: stringOf<OrderId>({ description: 'The operation of the purchase.' }) },
})
export const quoteMismatch = fault('quote_mismatch', 'conflict', {
  sentence: 'The quote is for a different purchase.',
  hint:
    'A quote is for one action, domain, period_years and currency: send those of "quote". ' +
    `Or: ${again}`,
  next: 'fix_request',
  facts: {
    quote: Type.Object(
      {
        action: Type.String(),
        domain: stringOf<DomainName>(),
        period_years: Type.Integer(),
        currency: Type.String(),
      },
      { description: 'The purchase that was quoted.' },
    ),
  },
})
export const tooManyQuotes = fault('too_many_quotes', 'conflict', {
  sentence: 'The account has reached its limit of open quotes.',
  hint: 'Use one of them, or wait until they expire.',
  next: 'wait_and_retry',
  retryable: true,
})

/** The faults of a purchase that names a quote. */
export const quoteFaults = [quoteNotFound, quoteExpired, quoteUsed, quoteMismatch]
