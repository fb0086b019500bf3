// Lists the open holds for operators, one of each order that is not closed: GET /v1/internal/holds.
import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { formatAmount } from '../../../kit/money.ts'
import { amount, dateTime, identifier, nullable, withDefault } from '../../../kit/schema.ts'
import { openHolds } from './work.sql.ts'

export const listHolds = operation({
  name: 'list_holds',
  does: 'List the open holds, oldest first: money reserved until an order ends.',
  at: 'GET /v1/internal/holds',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({
    limit: withDefault(Type.Integer({ minimum: 1, maximum: 500, description: 'At most.' }), 100),
    cursor: Type.Optional(identifier('ord', 'next_cursor of the page before.')),
  }),
  gives: Type.Object(
    {
      holds: Type.Array(
        Type.Object(
          {
            order_id: Type.String({ description: '"ord_" and 26 characters.' }),
            customer_id: Type.String(),
            type: Type.String({ description: 'register, renew, transfer or restore.' }),
            domain: Type.String(),
            registry: Type.String(),
            state: Type.String({ description: 'pending, accepted, unknown or parked.' }),
            currency: Type.String(),
            amount: amount('The amount that is held.'),
            attempts: Type.Integer({ description: 'The number of times that it was sent.' }),
            alarm: nullable(Type.String({ description: 'Why it needs an operator.' })),
            created_at: dateTime('When the order was placed.'),
          },
          { title: 'OpenHold' },
        ),
      ),
      next_cursor: nullable(Type.String({ description: 'For the next page; null on the last.' })),
    },
    { title: 'OpenHolds' },
  ),
  fails: [],
  effect: 'none',
  async run({ limit, cursor = '' }, { sql }) {
    const rows = await sql.run(openHolds, { after: cursor, limit: limit + 1 })
    const holds = rows.slice(0, limit).map(({ id, amount: held, created_at, ...row }) => ({
      ...row,
      order_id: id,
      amount: formatAmount(held),
      created_at: created_at.toISOString(),
    }))
    return { holds, next_cursor: rows.length > limit ? (holds.at(-1)?.order_id ?? null) : null }
  },
})
