// GET one operation: an order by its id, while it is open and after it ended.
import Type from 'typebox'
import { operation, owner } from '../../../app.ts'
import { formatAmount } from '../../../kit/money.ts'
import { amount, dateTime, identifier, nullable } from '../../../kit/schema.ts'
import { operationNotFound } from '../faults.ts'
import { operationOf } from '../holdings/domain-presenter.ts'
import { orderById } from '../orders/orders.sql.ts'
import { operationShape } from '../schemas.ts'

export const getOperation = operation({
  name: 'get_operation',
  does: 'Read one paid operation by its id: whether it was paid, and how it ended.',
  more: 'The id is operation.id of a domain.',
  at: 'GET /v1/operations/{id}',
  area: 'Domains',
  who: owner('domains:read'),
  takes: Type.Object({
    id: identifier('ord', 'Of the order.'),
  }),
  gives: Type.Object(
    {
      ...operationShape.properties,
      domain: Type.String(),
      currency: Type.String(),
      amount: amount('Held while it is open; paid when it succeeded; released when it failed.'),
      attempts: Type.Integer({ description: 'How often it was sent to the registry.' }),
      closed_at: nullable(dateTime('When it ended; null while it is open.')),
    },
    { title: 'OperationResponse' },
  ),
  fails: [operationNotFound],
  effect: 'none',
  tools: [
    {
      group: 'registration',
      title: 'Read a paid operation',
      examples: [{ id: 'ord_01kc8v3w6qf9t2x5y7z8a4b3c2' }],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run({ id }, call) {
    const order = await call.sql.maybe(orderById, { id, customer_id: call.customer_id })
    if (!order) throw operationNotFound()
    return {
      ...operationOf(order),
      domain: order.domain,
      currency: order.currency,
      amount: formatAmount(order.amount),
      attempts: order.attempts,
      closed_at: order.closed_at?.toISOString() ?? null,
    }
  },
})
