// Events of an account: derived from the audit log, read with a cursor, and delivered to webhooks.
import type { Job, Operation } from '../../app.ts'
import { deriveEventsJob } from './log/derive-events.job.ts'
import { purgeEventsJob } from './log/purge-events.job.ts'
import { listEvents } from './operations/list-events.ts'
import {
  removeWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks/operations/change-webhook.ts'
import { createWebhook } from './webhooks/operations/create-webhook.ts'
import { listDeliveries, redeliverWebhook, testWebhook } from './webhooks/operations/deliveries.ts'
import { listFailedDeliveries, redeliverFailed } from './webhooks/operations/failed-deliveries.ts'
import { getWebhook, listWebhooks } from './webhooks/operations/read-webhooks.ts'
import {
  deliverWebhooks,
  purgeDeliveriesJob,
  reviveWebhookTasks,
} from './webhooks/sending/deliver-webhooks.job.ts'

export { tooManyWaits } from './faults.ts'
export { EventWaits } from './waiting/event-waits.ts'
export { waitFor } from './waiting/wait-for.ts'
export { WebhookSenders } from './webhooks/sending/senders.ts'

export const operations: Operation[] = [
  listEvents,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  redeliverWebhook,
  listFailedDeliveries,
  redeliverFailed,
]
export const jobs: Job[] = [
  deriveEventsJob,
  deliverWebhooks,
  reviveWebhookTasks,
  purgeEventsJob,
  purgeDeliveriesJob,
]
