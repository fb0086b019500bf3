// The task that sends the deliveries of one endpoint: one at a time, in order, on one node.
import Type from 'typebox'
import { taskKind } from '../../../../tasks/index.ts'

/** Its key is the webhook's id. The times of attempts are the deliveries' own. */
export const deliverWebhook = taskKind({
  kind: 'deliver_webhook',
  payload: Type.Object({}),
  backoff: { first_ms: 1_000, longest_ms: 60_000 },
  most_attempts: null,
})
