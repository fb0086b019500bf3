// Lists the orders that need manual review, for operators: GET /v1/internal/parked-orders.

import Type from 'typebox'
import { formatAmount } from '../../../kit/money.ts'
import type { CustomerId, DomainName } from '../../../kit/random.ts'
import {
  amount,
  dateTime,
  identifier,
  nullable,
  stringOf,
  withDefault,
} from '../../../kit/schema.ts'
import { byId } from '../../../lists/cursor.ts'
import { workList } from '../../../lists/work-list.ts'
import type { Order } from '../orders/order.ts'
import { readRegistryState, registryShows, type Shown } from './parked-order-facts.ts'
import { parkedOrders } from './parked-orders.sql.ts'

export const orderId = identifier('ord', 'The id of the order.')

export const parkedOrder = Type.Object(
  {
    id: Type.String({ description: 'The id of the order.' }),
    customer_id: stringOf<CustomerId>({ description: 'The customer whose money is held.' }),
    type: Type.String({ description: 'The type: register, renew, transfer or restore.' }),
    domain: stringOf<DomainName>(),
    registry: Type.String({ description: 'The name of the registry in the registries file.' }),
    state: Type.String({
      description: 'The state: pending, accepted, unknown, parked, succeeded or failed.',
    }),
    alarm: nullable(Type.String({ description: 'Why it needs an operator.' })),
    error: nullable(
      Type.Object(
        { code: Type.String(), detail: nullable(Type.String()) },
        { title: 'OrderError' },
      ),
    ),
    currency: Type.String(),
    amount: amount('The amount held for it.'),
    attempts: Type.Integer({ description: 'How often it was sent.' }),
    command: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'The command as it was sent to the registry.',
    }),
    first_sent_at: dateTime("When it was first sent, by the registries' time."),
    created_at: dateTime('When it was ordered.'),
    updated_at: dateTime('When it last changed.'),
    closed_at: nullable(dateTime('When it ended.')),
    registry_shows: nullable(registryShows),
  },
  { title: 'ParkedOrder' },
)

export function parkedOrderOf(order: Order, shown: Shown | null) {
  return {
    id: order.id,
    customer_id: order.customer_id,
    type: order.type,
    domain: order.domain,
    registry: order.registry,
    state: order.state,
    alarm: order.alarm,
    error: order.error_code ? { code: order.error_code, detail: order.error_detail } : null,
    currency: order.currency,
    amount: formatAmount(order.amount),
    attempts: order.attempts,
    command: { ...Object(order.command) },
    first_sent_at: order.first_sent_at.toISOString(),
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    closed_at: order.closed_at?.toISOString() ?? null,
    registry_shows: shown?.facts ?? null,
  }
}

const looksAtOnce = 8

export const listParkedOrders = workList({
  name: 'list_parked_orders',
  does: 'List the orders that need an operator, oldest first.',
  more:
    'A parked order keeps its hold until an operator settles or releases it. With "alarm", the ' +
    'list also has those that the service is still executing.',
  at: 'GET /v1/internal/parked-orders',
  area: 'Domains',
  filters: {
    alarm: withDefault(
      Type.Boolean({
        description: 'Whether to list also orders with an alarm that are not parked.',
      }),
      false,
    ),
    look: withDefault(
      Type.Boolean({ description: 'Whether to ask the registry for the present state of each.' }),
      false,
    ),
  },
  entries: 'orders',
  entry: parkedOrder,
  title: 'ParkedOrdersResponse',
  by: byId('ord'),
  read: ({ after, most: limit }, { sql }, { alarm: with_alarms }) =>
    sql.run(parkedOrders, { with_alarms, after: after ?? '', limit }),
  keyOf: ({ id }) => id,
  async present(rows, app, { look }) {
    const orders: ReturnType<typeof parkedOrderOf>[] = []
    for (let at = 0; at < rows.length; at += looksAtOnce) {
      const some = rows.slice(at, at + looksAtOnce)
      const shown = await Promise.all(
        some.map((order) => (look ? readRegistryState(app, order) : null)),
      )
      orders.push(...some.map((order, i) => parkedOrderOf(order, shown[i] ?? null)))
    }
    return orders
  },
})
