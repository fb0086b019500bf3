// Notifies owners of the results of their longer orders: transfers in, restores and automatic
// renewals. No mail is written where orders are settled, since money is locked there.

import Type from 'typebox'
import { type App, job } from '../../../app.ts'
import type { OrderId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { publicUrls } from '../../../origins.ts'
import { done, type TaskEnd, taskKind, workTasks } from '../../../tasks/index.ts'
import { customerMail } from '../../mail/index.ts'
import { orderEndedEmail } from '../emails.ts'
import { markNotified, orderResult } from './orders.sql.ts'

const at_once = 100
const again_ms = 10 * 60_000

/** Enqueued by triggers of orders, in the transaction that settles the order. */
const notifyOrderResult = taskKind({
  kind: 'notify_order_result',
  payload: Type.Object({ order_id: stringOf<OrderId>() }),
  backoff: { first_ms: again_ms, longest_ms: again_ms },
  most_attempts: null,
})

export const notifyOrderResults = job({
  name: 'notify_order_results',
  does: 'Notifies owners by mail of the results of transfers in, restores and automatic renewals.',
  every_ms: 2_000,
  per_node: true,
  task_kind: notifyOrderResult.kind,
  async run(app) {
    const claimed = await workTasks(app, notifyOrderResult, {
      limit: at_once,
      handle: ({ payload }) => notify(app, payload.order_id),
    })
    return { more: claimed === at_once }
  },
})

/**
 * Notifies the owner once. A refusal of the first attempt was the answer to the request. An
 * automatic renewal has no request, and auto_renew reports its refusals.
 */
async function notify(app: App, id: OrderId): Promise<TaskEnd> {
  const result = await app.db.maybe(orderResult, { id })
  if (!result) return done
  const { customer_id, was_answered } = result
  const succeeded = result.state === 'succeeded'
  const email = orderEndedEmail({ ...result, succeeded }, publicUrls(app.settings))
  return {
    end: 'done',
    effects: async (sql) => {
      const mine = await sql.maybe(markNotified, { id })
      if (mine && !was_answered) await customerMail(sql, customer_id, email)
    },
  }
}
