// Fields that paid requests share.

import Type from 'typebox'
import { currencies } from '../../../kit/money.ts'
import type { DomainName } from '../../../kit/random.ts'
import {
  amountGiven,
  identifier,
  oneOf,
  patterned,
  stringOf,
  withDefault,
} from '../../../kit/schema.ts'

export const domainInPath = stringOf<DomainName>({
  minLength: 1,
  maxLength: 1024,
  description: 'The domain name.',
})

export const paidFields = {
  currency: withDefault(
    oneOf(currencies, { description: 'The currency of the balance that pays.' }),
    'USD',
  ),
  max_price: Type.Optional(
    amountGiven({
      example: '12.00',
      description: 'The highest price to pay in total, in units of "currency": "12.00".',
    }),
  ),
  quote_id: Type.Optional(
    identifier('quo', 'The id of a quote (create_quote), whose price is charged.'),
  ),
  dry_run: withDefault(
    Type.Boolean({ description: 'Whether to run all possible checks and change nothing.' }),
    false,
  ),
  idempotency_key: Type.Optional(
    patterned('^[\\x21-\\x7e]+$', 'printable ASCII characters without spaces', {
      minLength: 1,
      maxLength: 255,
      description: 'A request with the same key within 24 h gets only the first answer again.',
    }),
  ),
}
