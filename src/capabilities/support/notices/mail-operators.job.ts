// Mails the operators the messages of customers: the first message of a conversation at once, and
// those that follow within five minutes together, so that a customer who writes a lot causes few
// mails.

import Type from 'typebox'
import { type App, job } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { done, enqueue, type TaskEnd, taskKind, workTasks } from '../../../tasks/index.ts'
import { staffMail } from '../../mail/index.ts'
import {
  eventOfMessage,
  messageWithOwner,
  nextOperatorsMail,
  noteOperatorsMailed,
  unmailedToOperators,
} from '../messages.sql.ts'
import { customerMessagesEmail } from './emails.ts'

const pause_s = 300
const at_once = 20
const most_in_mail = 10
const most_counted = 1_000

const mailOperators = taskKind({
  kind: 'mail_support_message',
  payload: Type.Object({ message_id: Type.String(), customer_id: stringOf<CustomerId>() }),
  backoff: { first_ms: 1_000, longest_ms: 600_000 },
  most_attempts: null,
})

type Written = { message: { id: string }; customer_id: CustomerId }

/** Call it in the transaction of the message, which holds the conversation's row. */
export async function mailToOperators(
  sql: Sql,
  { message: { id }, customer_id }: Written,
): Promise<void> {
  const { run_at } = await sql.one(nextOperatorsMail, { customer_id, pause_s })
  await enqueue(sql, mailOperators, { key: id, payload: { message_id: id, customer_id }, run_at })
}

export const mailSupportMessages = job({
  name: 'mail_support_messages',
  does: "Mails the operators customers' messages: those of one conversation within minutes as one.",
  every_ms: 1_000,
  per_node: true,
  task_kind: mailOperators.kind,
  async run(app) {
    const claimed = await workTasks(app, mailOperators, {
      limit: at_once,
      handle: async ({ payload }) => endOf(app, payload),
    })
    return { more: claimed === at_once }
  },
})

type Due = { message_id: string; customer_id: CustomerId }

/** The task is done if the message was read, or was in a mail about an earlier one. */
async function endOf(app: App, { message_id: id, customer_id }: Due): Promise<TaskEnd> {
  const { support_email: to } = app.settings
  const own = await app.db.maybe(eventOfMessage, { id, customer_id })
  if (!own || to === null) return done
  return {
    end: 'done',
    async effects(sql) {
      const limit = BigInt(most_counted)
      const unmailed = await sql.run(unmailedToOperators, { customer_id, limit })
      const last = unmailed.at(-1)
      if (!last || !unmailed.some(({ event }) => event === own.event)) return
      const owner = await sql.one(messageWithOwner, { id: last.id })
      const shown = unmailed.slice(0, most_in_mail)
      const message = customerMessagesEmail(owner, { shown, more: unmailed.length - shown.length })
      await staffMail(sql, { to, message })
      await sql.count(noteOperatorsMailed, { customer_id, event: last.event })
    },
  }
}
