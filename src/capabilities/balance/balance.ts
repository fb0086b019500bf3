// Reads the balance of a customer in one currency: GET /v1/customers/{customer_id}/billing/balance.

import Type from 'typebox'
import { operation, ownerOf } from '../../app.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import type { CustomerId } from '../../kit/random.ts'
import { amount, dateTime, nullable, oneOf, stringOf, withDefault } from '../../kit/schema.ts'
import { readBalance } from '../../ledger/ledger.ts'

export const getBalance = operation({
  name: 'get_balance',
  does: 'Read the prepaid balance in one currency.',
  more:
    'Buy only when "available" covers the price; "held" is reserved for open orders, and ' +
    'released if they fail.',
  at: 'GET /v1/customers/{customer_id}/billing/balance',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({ description: 'The customer.' }),
    currency: withDefault(
      oneOf(currencies, { description: 'Each currency has its own balance.' }),
      'USD',
    ),
  }),
  gives: Type.Object(
    {
      customer_id: stringOf<CustomerId>(),
      currency: oneOf(currencies),
      available: amount('The amount that can be spent.'),
      held: amount('The amount that is reserved for open orders.'),
      reserved: amount(
        'The amount that the owner keeps for renewals (set_reserve). It is not part of ' +
          '"available".',
      ),
      total: amount('The sum of available, held and reserved.'),
      owed: amount(
        'The amount that is missing since a payment was reversed. Credits pay it first.',
      ),
      updated_at: nullable(dateTime('The time of the last movement, or null if there was none.')),
    },
    { title: 'CustomerBalanceResponse' },
  ),
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'account',
      title: 'Read the balance',
      examples: [{ currency: 'USD' }],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run({ currency }, call) {
    const balance = await readBalance(call.sql, call.customer_id, currency)
    return {
      customer_id: call.customer_id,
      currency,
      available: formatAmount(balance.available),
      held: formatAmount(balance.held),
      reserved: formatAmount(balance.reserved),
      total: formatAmount(balance.available + balance.held + balance.reserved),
      owed: formatAmount(balance.owed),
      updated_at: balance.updated_at?.toISOString() ?? null,
    }
  },
})
