// Sends deliveries to webhooks, each at least once, with an id that stays the same.
import { job } from '../../../../app.ts'
import { enqueue } from '../../../../tasks/index.ts'
import { purgeDeliveries, webhooksWithoutTask } from '../webhooks.sql.ts'
import { deliverWebhook } from './deliver-task.ts'

const at_once = 5_000
const day_ms = 86_400_000

export const deliverWebhooks = job({
  name: 'deliver_webhooks',
  does: 'Sends events to the webhooks of customers.',
  every_ms: 1_000,
  per_node: true,
  task_kind: deliverWebhook.kind,
  wakes_on: 'webhook_deliveries',
  run: async (app) => ({ more: await app.webhookSenders.start(app) }),
})

export const reviveWebhookTasks = job({
  name: 'revive_webhook_tasks',
  does: 'Enqueues the task of each webhook with deliveries that no task would send.',
  every_ms: 60_000,
  async run({ db }) {
    const lost = await db.run(webhooksWithoutTask, { limit: at_once })
    for (const { id: key } of lost) await enqueue(db, deliverWebhook, { key, payload: {} })
    return { more: lost.length === at_once }
  },
})

export const purgeDeliveriesJob = job({
  name: 'purge_deliveries',
  does: 'Deletes deliveries to webhooks after DELIVERIES_KEPT_DAYS.',
  every_ms: 3_600_000,
  async run({ db, clock, settings }) {
    const before = new Date(clock.now().getTime() - settings.deliveries_kept_days * day_ms)
    const purged = await db.count(purgeDeliveries, { before, limit: at_once })
    return { more: purged === at_once }
  },
})
