// Counts the work that waits for an operator: GET /v1/internal/overview.

import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { amount, oneOf, stringOf, wordOf } from '../../../kit/schema.ts'
import { closedWithMoney, countWork } from './work.sql.ts'

const count = (description: string) => Type.Integer({ description })

export const getOperatorOverview = operation({
  name: 'get_operator_overview',
  does: 'Count the work that waits for an operator.',
  at: 'GET /v1/internal/overview',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({}),
  gives: Type.Object(
    {
      parked_orders: count('Orders that an operator settles or releases.'),
      alarmed_orders: count('Orders with an alarm that are still being executed.'),
      parked_payments: count('Payments in cryptocurrencies to credit or to dismiss.'),
      parked_card_checkouts: count('Checkouts by card whose payment does not match.'),
      parked_card_reversals: count('Refunds and disputes by card that do not match their payment.'),
      waiting_threads: count('Conversations of support with a message that no operator has read.'),
      open_holds: count('Open orders, each of which holds money.'),
      failed_mails: count('Failed mails.'),
      dead_tasks: count('Tasks that used all their attempts, without mails.'),
      failed_webhook_deliveries: count('Failed deliveries to webhooks of customers.'),
      closed_with_money: Type.Array(
        Type.Object({
          customer_id: stringOf<CustomerId>(),
          currency: oneOf(currencies),
          available: amount('The amount to be paid out.'),
          held: amount('The amount that is held for open orders.'),
        }),
        { description: 'Closed accounts that have received money since, at most 100.' },
      ),
    },
    { title: 'OperatorOverview' },
  ),
  fails: [],
  effect: 'none',
  async run(_input, { sql }) {
    const counts = await sql.one(countWork)
    const money = await sql.run(closedWithMoney)
    return {
      ...counts,
      closed_with_money: money.map(({ customer_id, currency, available, held }) => ({
        customer_id,
        currency: wordOf(currencies, currency),
        available: formatAmount(available),
        held: formatAmount(held),
      })),
    }
  },
})
