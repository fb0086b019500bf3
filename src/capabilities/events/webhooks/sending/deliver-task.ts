// The task that sends the deliveries of one endpoint: one at a time, in order, on one node.
import Type from 'typebox'
import { taskKind } from '../../../../tasks/index.ts'

/** Its key is the webhook's id. Each delivery has the time of its own next attempt. */
export const deliverWebhook = taskKind({
  kind: 'deliver_webhook',
  payload: Type.Object({}),
  backoff: { first_ms: 1_000, longest_ms: 60_000 },
  most_attempts: null,
})
