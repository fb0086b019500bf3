// Lists the deliveries of every customer that were given up, and sends one again, for operators.

import Type from 'typebox'
import { operation, operatorOnly } from '../../../../app.ts'
import type { CustomerId } from '../../../../kit/random.ts'
import { dateTime, identifier, nullable, oneOf, stringOf, wordOf } from '../../../../kit/schema.ts'
import { byId } from '../../../../lists/cursor.ts'
import { workList } from '../../../../lists/work-list.ts'
import { enqueue } from '../../../../tasks/index.ts'
import { failedDeliveryNotFound, webhookOfCustomerDisabled } from '../../faults.ts'
import { deliverWebhook } from '../sending/deliver-task.ts'
import { disabledReasons, webhookId } from '../webhook.ts'
import {
  type FailedDeliveryRow,
  failedDeliveries,
  failedDelivery,
  redeliver,
} from '../webhooks.sql.ts'
import { afterEveryDelivery, delivery, deliveryId, shownDelivery } from './deliveries.ts'

const failed = Type.Object(
  {
    id: deliveryId,
    customer_id: stringOf<CustomerId>({ description: 'The customer that the webhook belongs to.' }),
    customer_name: Type.String(),
    webhook_id: webhookId,
    host: nullable(
      Type.String({
        description: "The host of the webhook's URL. The rest of the URL may be a secret.",
      }),
    ),
    disabled_because: nullable(
      oneOf(disabledReasons, {
        description: 'Why the webhook is disabled, or null if it is enabled.',
      }),
    ),
    event_id: identifier('evt', 'The webhook-id of every attempt.'),
    event_type: Type.String(),
    attempts: Type.Integer({ description: 'The number of attempts.' }),
    last_attempt_at: nullable(dateTime('When it was sent last.')),
    last_status: nullable(
      Type.Integer({
        description: 'The HTTP status of the last response, or null if there was none.',
      }),
    ),
    last_error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    created_at: dateTime('When it was queued.'),
  },
  { title: 'FailedWebhookDelivery' },
)

function shownFailed({ name, url, last_attempt_at, created_at, ...row }: FailedDeliveryRow) {
  const { disabled_because: because } = row
  return {
    ...row,
    disabled_because: because === null ? null : wordOf(disabledReasons, because),
    customer_name: name,
    host: URL.parse(url)?.host ?? null,
    last_attempt_at: last_attempt_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  }
}

export const listFailedDeliveries = workList({
  name: 'list_failed_webhook_deliveries',
  does: 'List the failed deliveries to webhooks of all customers, newest first.',
  more: 'The customers see those of their own webhooks, too, and can send them again themselves.',
  at: 'GET /v1/internal/webhook-deliveries',
  area: 'Events',
  entries: 'deliveries',
  entry: failed,
  title: 'FailedWebhookDeliveries',
  by: byId('dlv'),
  read: ({ after, most: limit }, { sql }) =>
    sql.run(failedDeliveries, { before: after ?? afterEveryDelivery, limit }),
  keyOf: ({ id }) => id,
  present: (rows) => rows.map(shownFailed),
})

export const redeliverFailed = operation({
  name: 'redeliver_failed_webhook',
  does: "Send a failed delivery to a customer's webhook again, with all its attempts.",
  at: 'POST /v1/internal/webhook-deliveries/{delivery_id}/redeliver',
  area: 'Events',
  who: operatorOnly(),
  takes: Type.Object({ delivery_id: deliveryId }),
  gives: Type.Object(
    { ...delivery.properties, customer_id: stringOf<CustomerId>() },
    { title: 'RedeliveredWebhook' },
  ),
  status: 202,
  fails: [failedDeliveryNotFound, webhookOfCustomerDisabled],
  effect: 'transaction',
  target: ({ delivery_id }, done) => ({
    target_type: 'webhook',
    target: done?.webhook_id ?? null,
    ...(done && { customer_id: done.customer_id }),
    metadata: { delivery_id },
  }),
  async run({ delivery_id: id }, { sql }, app) {
    const found = await sql.maybe(failedDelivery, { id })
    if (!found) throw failedDeliveryNotFound()
    if (found.disabled_because !== null) throw webhookOfCustomerDisabled()
    const { webhook_id } = found
    const row = await sql.maybe(redeliver, { id, webhook_id, now: app.clock.now() })
    if (!row) throw failedDeliveryNotFound()
    await enqueue(sql, deliverWebhook, { key: webhook_id, payload: {}, existing: 'replace' })
    return { ...shownDelivery(row), customer_id: found.customer_id }
  },
})
