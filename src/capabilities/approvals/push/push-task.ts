// The tasks that notify browsers of a request: one for each, enqueued with the approval.

import Type from 'typebox'
import type { WebPush } from '../../../adapters/push/port.ts'
import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { ApprovalId, CustomerId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { enqueue, taskKind } from '../../../tasks/index.ts'
import { most_subscriptions } from './push-subscription.ts'
import { pushSubscriptions } from './push-subscriptions.sql.ts'

declare module '../../../app.ts' {
  interface App {
    /** Null if no key is set, so that browsers get no notifications. */
    webPush: WebPush | null
  }
}

/** It ends with the approval's wait for an answer, at the latest when that expires. */
export const pushApprovalTask = taskKind({
  kind: 'push_approval',
  payload: Type.Object({
    approval_id: stringOf<ApprovalId>(),
    customer_id: stringOf<CustomerId>(),
    subscription_id: Type.String(),
  }),
  backoff: { first_ms: 5_000, longest_ms: 3_600_000 },
  most_attempts: null,
})

type Asked = { id: string; customer_id: CustomerId }

/** Call it in the transaction that stores the approval. It does nothing without a key of ours. */
export async function enqueuePushes(
  { webPush }: Pick<App, 'webPush'>,
  sql: Sql,
  { id: approval_id, customer_id }: Asked,
): Promise<void> {
  if (webPush === null) return
  const { public_key } = webPush
  const of = { customer_id, public_key, limit: most_subscriptions }
  for (const { id: subscription_id } of await sql.run(pushSubscriptions, of))
    await enqueue(sql, pushApprovalTask, {
      key: `${approval_id} ${subscription_id}`,
      payload: { approval_id, customer_id, subscription_id },
    })
}
