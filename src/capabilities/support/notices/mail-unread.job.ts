// Mails an owner a reply that stays unread for five minutes: once, with all replies that are unread
// at that time.

import Type from 'typebox'
import { type App, job } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { publicUrls } from '../../../origins.ts'
import { done, enqueue, type TaskEnd, taskKind, workTasks } from '../../../tasks/index.ts'
import { customerMail } from '../../mail/index.ts'
import { eventOfMessage, noteMailed, unmailedMessages } from '../messages.sql.ts'
import { unreadReplyEmail } from './emails.ts'

const unread_ms = 300_000
const at_once = 20
const most_in_mail = 5
const most_counted = 100

const mailUnreadReply = taskKind({
  kind: 'mail_unread_support_reply',
  payload: Type.Object({ message_id: Type.String(), customer_id: stringOf<CustomerId>() }),
  backoff: { first_ms: 1_000, longest_ms: 600_000 },
  most_attempts: null,
})

type Reply = { message: { id: string; created_at: string }; customer_id: CustomerId }

/** Call it in the transaction of the reply. */
export async function mailIfUnread(
  sql: Sql,
  { message: { id, created_at }, customer_id }: Reply,
): Promise<void> {
  await enqueue(sql, mailUnreadReply, {
    key: id,
    payload: { message_id: id, customer_id },
    run_at: new Date(Date.parse(created_at) + unread_ms),
  })
}

export const mailUnreadReplies = job({
  name: 'mail_unread_support_replies',
  does: "Mails owners the operators' replies that were unread for 5 minutes.",
  every_ms: 1_000,
  per_node: true,
  task_kind: mailUnreadReply.kind,
  async run(app) {
    const claimed = await workTasks(app, mailUnreadReply, {
      limit: at_once,
      handle: async ({ payload }) => endOf(app, payload),
    })
    return { more: claimed === at_once }
  },
})

type Due = { message_id: string; customer_id: CustomerId }

/** The task is done if the reply was read, or was in a mail about an earlier one. */
async function endOf(app: App, { message_id: id, customer_id }: Due): Promise<TaskEnd> {
  const { settings } = app
  const own = await app.db.maybe(eventOfMessage, { id, customer_id })
  if (!own) return done
  return {
    end: 'done',
    async effects(sql) {
      const unread = await sql.run(unmailedMessages, { customer_id, limit: BigInt(most_counted) })
      const last = unread.at(-1)
      if (!last || !unread.some(({ event }) => event === own.event)) return
      const shown = unread.slice(0, most_in_mail)
      const more = unread.length - shown.length
      const facts = { more, dashboard_url: publicUrls(settings).dashboard_url }
      await customerMail(sql, customer_id, unreadReplyEmail(shown, facts))
      await sql.count(noteMailed, { customer_id, event: last.event })
    },
  }
}
