// The deliveries of a webhook: a test, their list, and sending one again.
import Type, { type Static } from 'typebox'
import { operation, owner } from '../../../../app.ts'
import { dateTime, identifier, nullable, oneOf, wordOf } from '../../../../kit/schema.ts'
import { byId } from '../../../../lists/cursor.ts'
import { pagesOf } from '../../../../lists/paging.ts'
import { enqueue } from '../../../../tasks/index.ts'
import { deliveryNotFound, webhookDisabled, webhookNotFound } from '../../faults.ts'
import { deliverWebhook } from '../sending/deliver-task.ts'
import { webhookId } from '../webhook.ts'
import {
  type DeliveryRow,
  deliveriesOfState,
  deliveriesOfWebhook,
  redeliver,
  webhookById,
} from '../webhooks.sql.ts'
import { hostOfUrl } from './create-webhook.ts'

const states = ['pending', 'delivered', 'failed'] as const
/** A place after every id, since "{" follows "z". */
export const afterEveryDelivery = 'dlv_{'
export const deliveryId = identifier('dlv', 'The id of the delivery.')

export const delivery = Type.Object(
  {
    id: deliveryId,
    webhook_id: webhookId,
    event_id: identifier('evt', 'The webhook-id of every attempt.'),
    event_type: Type.String(),
    state: oneOf(states, {
      description:
        'A pending delivery is yet to be sent, or sent again. A failed one is not tried again ' +
        'unless it is redelivered.',
    }),
    attempts: Type.Integer({ description: 'The number of attempts so far.' }),
    next_attempt_at: nullable(dateTime('When a pending delivery is sent next.')),
    last_attempt_at: nullable(dateTime('When it was sent last.')),
    last_status: nullable(
      Type.Integer({
        description: 'The HTTP status of the last response, or null if there was none.',
      }),
    ),
    last_error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    duration_ms: nullable(
      Type.Integer({ description: 'How long the last attempt took, in milliseconds.' }),
    ),
    created_at: dateTime('When it was queued.'),
  },
  { title: 'WebhookDelivery' },
)

export function shownDelivery(row: DeliveryRow): Static<typeof delivery> {
  const state = wordOf(states, row.state)
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event_type: row.event_type,
    state,
    attempts: row.attempts,
    next_attempt_at: state === 'pending' ? row.next_at.toISOString() : null,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    last_status: row.last_status,
    last_error: row.last_error,
    duration_ms: row.duration_ms,
    created_at: row.created_at.toISOString(),
  }
}

export const testWebhook = operation({
  name: 'test_webhook',
  does: 'Send the event webhook.test to a webhook.',
  more: 'It is delivered like any other event; the list of deliveries soon shows the result.',
  at: 'POST /v1/webhooks/{id}/test',
  area: 'Events',
  who: owner('account:write'),
  takes: Type.Object({ id: webhookId }),
  gives: Type.Object(
    { webhook_id: webhookId, event_type: Type.String() },
    { title: 'WebhookTestResponse' },
  ),
  status: 202,
  fails: [webhookNotFound, webhookDisabled],
  effect: 'transaction',
  target: ({ id }) => ({ target_type: 'webhook', target: id }),
  async run({ id }, { customer_id, sql, note }) {
    const row = await sql.maybe(webhookById, { id, customer_id })
    if (!row) throw webhookNotFound()
    note({ host: hostOfUrl(row.url) })
    if (row.disabled_because !== null) throw webhookDisabled()
    return { webhook_id: id, event_type: 'webhook.test' }
  },
})

const pages = pagesOf('list_webhook_deliveries', byId('dlv'))

export const listDeliveries = operation({
  name: 'list_webhook_deliveries',
  does: 'List the deliveries of a webhook, newest first.',
  at: 'GET /v1/webhooks/{id}/deliveries',
  area: 'Events',
  who: owner('account:read'),
  takes: Type.Object({
    id: webhookId,
    state: Type.Optional(oneOf(states, { description: 'Lists only deliveries in this state.' })),
    ...pages.takes,
  }),
  gives: Type.Object(
    { deliveries: Type.Array(delivery), ...pages.gives },
    { title: 'ListWebhookDeliveriesResponse' },
  ),
  fails: [webhookNotFound],
  effect: 'none',
  async run({ id, state, ...asked }, { customer_id, sql }) {
    if (!(await sql.maybe(webhookById, { id, customer_id }))) throw webhookNotFound()
    const { rows, next_cursor } = await pages.read(
      asked,
      ({ after, most: limit }) => {
        const page = { webhook_id: id, before: after ?? afterEveryDelivery, limit }
        return state === undefined
          ? sql.run(deliveriesOfWebhook, page)
          : sql.run(deliveriesOfState, { ...page, state })
      },
      (row) => row.id,
    )
    return { deliveries: rows.map(shownDelivery), next_cursor }
  },
})

export const redeliverWebhook = operation({
  name: 'redeliver_webhook',
  does: 'Send a delivery of a webhook again, whatever the result of earlier attempts.',
  at: 'POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
  area: 'Events',
  who: owner('account:write'),
  takes: Type.Object({ id: webhookId, delivery_id: deliveryId }),
  gives: delivery,
  status: 202,
  fails: [webhookNotFound, webhookDisabled, deliveryNotFound],
  effect: 'transaction',
  target: ({ id, delivery_id }) => ({
    target_type: 'webhook',
    target: id,
    metadata: { delivery_id },
  }),
  async run({ id, delivery_id }, { customer_id, sql, note }, app) {
    const webhook = await sql.maybe(webhookById, { id, customer_id })
    if (!webhook) throw webhookNotFound()
    note({ host: hostOfUrl(webhook.url) })
    if (webhook.disabled_because !== null) throw webhookDisabled()
    const now = app.clock.now()
    const row = await sql.maybe(redeliver, { id: delivery_id, webhook_id: id, now })
    if (!row) throw deliveryNotFound()
    await enqueue(sql, deliverWebhook, { key: id, payload: {}, existing: 'replace' })
    return shownDelivery(row)
  },
})
