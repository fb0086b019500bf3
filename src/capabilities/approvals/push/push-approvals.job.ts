// Notifies browsers of the requests that wait for their owner: at least once each, as long as the
// request waits. There is a mail as well, so a push that cannot be sent raises no alarm.

import Type from 'typebox'
import type { Pushed, PushSubscription } from '../../../adapters/push/port.ts'
import { type App, job } from '../../../app.ts'
import type { ApprovalId, CustomerId } from '../../../kit/random.ts'
import { compile } from '../../../kit/schema.ts'
import { done, type TaskEnd, workTasks } from '../../../tasks/index.ts'
import { approvalOf } from '../approval.ts'
import { approvalOfCustomer } from '../approvals.sql.ts'
import { notificationText } from './notification.ts'
import { endSubscription, noteSent, subscriptionToSend } from './push-subscriptions.sql.ts'
import { pushApprovalTask } from './push-task.ts'

const limit = 20
/** The attempts are spread over some hours. */
const most_attempts = 12

export const pushApprovals = job({
  name: 'push_approvals',
  does: 'Notifies browsers of owners of the requests that wait for them.',
  every_ms: 5_000,
  per_node: true,
  task_kind: pushApprovalTask.kind,
  run: async (app) => ({
    more:
      (await workTasks(app, pushApprovalTask, {
        limit,
        handle: ({ payload, attempts }) => push(app, { ...payload, attempts }),
      })) === limit,
  }),
})

type Push = {
  approval_id: ApprovalId
  customer_id: CustomerId
  subscription_id: string
  attempts: number
}

/** Sends nothing if the request was answered meanwhile, or the browser was removed. */
async function push(app: App, { approval_id, customer_id, ...of }: Push): Promise<TaskEnd> {
  const { webPush } = app
  if (webPush === null) return done
  const row = await app.db.maybe(approvalOfCustomer, { id: approval_id, customer_id })
  const to = await app.db.maybe(subscriptionToSend, { id: of.subscription_id })
  if (row?.state !== 'pending' || to?.public_key !== webPush.public_key) return done
  const subscription = opened(app, to.sealed)
  if (subscription === undefined) return ended(of.subscription_id)
  const left_ms = row.expires_at.getTime() - app.clock.now().getTime()
  const pushed = await webPush.send(subscription, {
    text: notificationText(approvalOf(app, row)),
    ...{ ttl_s: left_ms / 1_000, topic: approval_id },
  })
  return endOf(app, pushed, of)
}

const subscriptionJson = compile(
  Type.Object({ endpoint: Type.String(), p256dh: Type.String(), auth: Type.String() }),
)

/** Undefined if it was sealed with another ENCRYPTION_KEY. */
function opened({ encryption }: App, sealed: string): PushSubscription | undefined {
  const text = encryption.unseal(sealed)
  return text === undefined ? undefined : subscriptionJson.parse(JSON.parse(text))
}

const ended = (id: string): TaskEnd => ({
  end: 'done',
  effects: async (sql) => void (await sql.count(endSubscription, { id })),
})

type Attempt = { subscription_id: string; attempts: number }

function endOf(app: App, pushed: Pushed, { subscription_id: id, attempts }: Attempt): TaskEnd {
  const giveUp = (reason: string): TaskEnd => {
    app.log.warn({ subscription: id, reason }, 'a web push failed permanently')
    return done
  }
  switch (pushed.kind) {
    case 'sent': {
      const sent_at = app.clock.now()
      return {
        end: 'done',
        effects: async (sql) => void (await sql.count(noteSent, { id, sent_at })),
      }
    }
    case 'gone':
      return ended(id)
    case 'refused':
      return giveUp(pushed.reason)
    case 'later': {
      const { reason, retry_after_ms: in_ms } = pushed
      if (attempts + 1 >= most_attempts) return giveUp(reason)
      return { end: 'retry', reason, ...(in_ms > 0 && { in_ms }) }
    }
  }
}
