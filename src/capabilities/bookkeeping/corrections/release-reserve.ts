// Release of a renewal reserve by an operator, for an owner who is gone: only available money can
// be paid out (decision 76).

import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { amount, oneOf, stringOf } from '../../../kit/schema.ts'
import { moveToReserve } from '../../../ledger/ledger.sql.ts'
import { customerAbsent, requireCustomer } from '../../account/index.ts'

export const releaseReserve = operation({
  name: 'release_reserve',
  does: 'Make all the money that an owner keeps for renewals available again.',
  more:
    'It is for an account whose owner is gone: an adjustment takes only available money, and an ' +
    'account with a reserve is not closed. The domains keep their choice, without money. A ' +
    'repeated call changes nothing.',
  at: 'POST /v1/internal/billing/reserve-releases',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({
      minLength: 1,
      maxLength: 64,
      description: 'The customer.',
    }),
    currency: oneOf(currencies, { description: 'Each has its own reserve.' }),
    reason: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The reason, which is kept in the audit log.',
    }),
  }),
  gives: Type.Object(
    {
      customer_id: stringOf<CustomerId>(),
      currency: oneOf(currencies),
      reserved: amount('The amount that is now kept for renewals: zero.'),
      available: amount('The balance that can be spent now.'),
    },
    { title: 'ReserveReleaseResponse' },
  ),
  fails: [customerAbsent],
  effect: 'transaction',
  target: ({ customer_id, currency, reason }, output) => ({
    target_type: 'balance',
    target: currency,
    ...(output ? { customer_id } : {}),
    metadata: { ...(output ? { reserved: output.reserved } : {}), currency, reason },
  }),
  async run({ customer_id, currency }, { sql }) {
    await requireCustomer(sql, customer_id)
    const { available } = await sql.one(moveToReserve, { customer_id, currency, amount: 0n })
    const reserved = formatAmount(0n)
    return { customer_id, currency, reserved, available: formatAmount(available) }
  },
})
