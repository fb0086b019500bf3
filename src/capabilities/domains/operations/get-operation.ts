// Reads one operation, which is an order, by its id, while it is open and after it has ended: GET
// /v1/operations/{id}.

import Type, { type Static } from 'typebox'
import { type App, type Call, operation, owner } from '../../../app.ts'
import { formatAmount } from '../../../kit/money.ts'
import type { DomainName, OrderId } from '../../../kit/random.ts'
import {
  amount,
  dateTime,
  identifier,
  nullable,
  stringOf,
  withDefault,
} from '../../../kit/schema.ts'
import { tooManyWaits, waitFor } from '../../events/index.ts'
import { isVisibleDomain } from '../../limits/index.ts'
import { operationNotFound } from '../faults.ts'
import { operationOf } from '../orders/order-presenter.ts'
import { orderById } from '../orders/orders.sql.ts'
import { operationShape } from '../schemas.ts'

const operationResponse = Type.Object(
  {
    ...operationShape.properties,
    domain: stringOf<DomainName>(),
    currency: Type.String(),
    amount: amount('Held while it is open; paid when it succeeded; released when it failed.'),
    attempts: Type.Integer({ description: 'How often it was sent to the registry.' }),
    closed_at: nullable(dateTime('When it ended; null while it is open.')),
  },
  { title: 'OperationResponse' },
)

export const getOperation = operation({
  name: 'get_operation',
  does: 'Read one paid operation by its id: whether it was paid, and how it ended.',
  more: 'The id is operation.id of a domain.',
  at: 'GET /v1/operations/{id}',
  area: 'Domains',
  who: owner('domains:read'),
  takes: Type.Object({
    id: identifier('ord', 'The id of the order.'),
  }),
  gives: operationResponse,
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
  run: ({ id }, call, app) => readOperation(app, call, id),
})

async function readOperation(
  app: App,
  { customer_id, caller }: Call,
  id: OrderId,
): Promise<Static<typeof operationResponse>> {
  const order = await app.db.maybe(orderById, { id, customer_id })
  if (!order || !isVisibleDomain(caller, order.domain)) throw operationNotFound()
  return {
    ...operationOf(order),
    domain: order.domain,
    currency: order.currency,
    amount: formatAmount(order.amount),
    attempts: order.attempts,
    closed_at: order.closed_at?.toISOString() ?? null,
  }
}

export const waitForOperation = operation({
  name: 'wait_for_operation',
  does: 'Wait until a paid operation has ended, at most 50 s, and read how it ended.',
  more:
    'The response comes as soon as the operation has succeeded or failed. Otherwise it comes ' +
    'when the time is over, with the state as it is then: call again. To wait for many ' +
    'operations at once, use list_events with "wait".',
  at: 'GET /v1/operations/{id}/wait',
  area: 'Domains',
  who: owner('domains:read'),
  takes: Type.Object({
    id: identifier('ord', 'The id of the order.'),
    wait: withDefault(
      Type.Integer({ minimum: 1, maximum: 50, description: 'Seconds to wait at most.' }),
      50,
    ),
  }),
  gives: operationResponse,
  fails: [operationNotFound, tooManyWaits],
  effect: 'none',
  tools: [
    {
      group: 'registration',
      title: 'Wait for a paid operation',
      examples: [{ id: 'ord_01kc8v3w6qf9t2x5y7z8a4b3c2' }],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  run: ({ id, wait }, call, app) =>
    waitFor(app, call, {
      for_ms: wait * 1_000,
      look: () => readOperation(app, call, id),
      isOver: ({ closed_at }) => closed_at !== null,
    }),
})
