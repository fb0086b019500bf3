// Lists the open holds for operators, one of each order that is not closed: GET /v1/internal/holds.

import Type from 'typebox'
import { formatAmount } from '../../../kit/money.ts'
import type { CustomerId, DomainName, OrderId } from '../../../kit/random.ts'
import { amount, dateTime, nullable, stringOf } from '../../../kit/schema.ts'
import { byId } from '../../../lists/cursor.ts'
import { workList } from '../../../lists/work-list.ts'
import { openHolds } from './work.sql.ts'

const openHold = Type.Object(
  {
    order_id: stringOf<OrderId>({ description: '"ord_" and 26 characters.' }),
    customer_id: stringOf<CustomerId>(),
    type: Type.String({ description: 'register, renew, transfer or restore.' }),
    domain: stringOf<DomainName>(),
    registry: Type.String(),
    state: Type.String({ description: 'pending, accepted, unknown or parked.' }),
    currency: Type.String(),
    amount: amount('The amount that is held.'),
    attempts: Type.Integer({ description: 'The number of times that it was sent.' }),
    alarm: nullable(Type.String({ description: 'Why it needs an operator.' })),
    created_at: dateTime('When the order was placed.'),
  },
  { title: 'OpenHold' },
)

export const listHolds = workList({
  name: 'list_holds',
  does: 'List the open holds, oldest first: money reserved until an order ends.',
  at: 'GET /v1/internal/holds',
  area: 'Operators',
  entries: 'holds',
  entry: openHold,
  title: 'OpenHolds',
  by: byId('ord'),
  read: ({ after, most: limit }, { sql }) => sql.run(openHolds, { after: after ?? '', limit }),
  keyOf: ({ id }) => id,
  present: (rows) =>
    rows.map(({ id, amount: held, created_at, ...row }) => ({
      ...row,
      order_id: id,
      amount: formatAmount(held),
      created_at: created_at.toISOString(),
    })),
})
