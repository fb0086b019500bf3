// The response for a checkout by card.

import Type, { type Static } from 'typebox'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import {
  amount,
  dateTime,
  identifier,
  nullable,
  oneOf,
  stringOf,
  wordOf,
} from '../../../kit/schema.ts'
import type { CheckoutRow } from './card.sql.ts'

const statuses = ['opening', 'open', 'processing', 'paid', 'expired', 'failed', 'parked'] as const
export type CheckoutStatus = (typeof statuses)[number]

export const checkoutId = identifier('ctp', 'The checkout.')

export const checkoutResponse = Type.Object(
  {
    id: identifier('ctp'),
    customer_id: stringOf<CustomerId>(),
    status: oneOf(statuses, {
      description:
        'opening: the page does not exist yet, so read the checkout again. open: it can be paid. ' +
        'processing: a bank debit takes days. paid: it is credited. parked: an operator looks at ' +
        'it.',
    }),
    amount_cents: Type.Integer({ description: 'The amount in minor units: 2500 is 25.00.' }),
    currency: oneOf(currencies),
    url: nullable(
      Type.String({ description: 'The page on which it is paid, or null unless it is open.' }),
    ),
    credited_amount: amount('The amount that was credited; 0.00 until it is paid.'),
    expires_at: dateTime('Until when it can be paid.'),
    created_at: dateTime('When it was created.'),
    updated_at: dateTime('When its status last changed.'),
  },
  { title: 'CardCheckoutResponse' },
)

export function checkoutOf(row: CheckoutRow): Static<typeof checkoutResponse> {
  const { id, customer_id, amount_cents, session_url } = row
  const status = wordOf(statuses, row.status)
  return {
    id,
    customer_id,
    status,
    amount_cents: Number(amount_cents),
    currency: wordOf(currencies, row.currency),
    url: status === 'open' ? session_url : null,
    credited_amount: formatAmount(status === 'paid' ? amount_cents : 0n),
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
