// Sends a message to the operators, or an operator's to a customer: once for each idempotency key.

import Type from 'typebox'
import { type App, type Call, operation, operatorOnly, owner, Reply } from '../../../app.ts'
import { type CustomerId, newId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { take } from '../../../rate-limits/leaky-buckets.ts'
import { customerAbsent, requireCustomer } from '../../account/index.ts'
import { messagesLimited } from '../faults.ts'
import { postMessage } from '../messages.sql.ts'
import { mailIfUnread } from '../notices/mail-unread.job.ts'
import { notifyOperators } from '../notices/notify-operators.ts'
import {
  bodyField,
  idempotencyField,
  keyMismatch,
  messageOf,
  operatorMessage,
  operatorMessageOf,
  type SupportMessage,
  supportMessage,
} from '../schemas.ts'

export const sendSupportMessage = operation({
  name: 'send_support_message',
  does: "Send a message to the people who run the service; they reply in the account's support.",
  more:
    'Use it for questions, and for tasks that no other operation covers. The owner reads the ' +
    'replies on the dashboard, and gets a mail if one stays unread. Do not include secrets.',
  at: 'POST /v1/support/messages',
  area: 'Support',
  who: { ...owner('support:write'), while_suspended: true },
  status: 201,
  takes: Type.Object(
    { body: bodyField, idempotency_key: idempotencyField },
    { title: 'SupportMessageCreateRequest' },
  ),
  in: { idempotency_key: 'header' },
  gives: supportMessage,
  fails: [messagesLimited],
  effect: 'transaction',
  target: (_input, message) => targetOf(message),
  tools: [
    {
      group: 'support',
      title: 'Write to support',
      examples: [
        { body: 'Our domain my-agent.com shows pendingTransfer since Monday. Can you look?' },
      ],
      destructive: false,
      idempotent: false,
      open_world: false,
    },
  ],
  async run({ body, idempotency_key }, call, app) {
    const { row, replayed } = await post(call, { body, idempotency_key, sender: 'customer' })
    const message = messageOf(row)
    if (!replayed) await admitMessage(app, call, message)
    return answerOf(message, replayed)
  },
})

/** Throws 429, which undoes the message, where the account has sent too many. */
async function admitMessage(app: App, { sql, customer_id }: Call, message: SupportMessage) {
  const most = app.settings.support_messages_per_hour
  const bucket = { key: `support_messages ${customer_id}`, most, drain_s: 3_600 / most }
  const wait_s = await take(sql, [bucket])
  if (wait_s > 0) throw messagesLimited({ retry_after_s: wait_s })
  await notifyOperators(app, sql, { message, customer_id })
}

export const sendSupportReply = operation({
  name: 'send_support_reply',
  does: 'Send a message of the operators to a customer.',
  more:
    "It marks the customer's messages as read. If it stays unread for 5 minutes, its text is " +
    'mailed to the owner, once.',
  at: 'POST /v1/internal/support/messages',
  area: 'Support',
  who: operatorOnly(),
  status: 201,
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({
      minLength: 1,
      maxLength: 64,
      description: 'The customer.',
    }),
    body: bodyField,
    idempotency_key: idempotencyField,
  }),
  in: { idempotency_key: 'header' },
  gives: operatorMessage,
  fails: [customerAbsent],
  effect: 'transaction',
  target: ({ customer_id }, message) => ({ ...targetOf(message), ...(message && { customer_id }) }),
  async run({ customer_id, body, idempotency_key }, call) {
    await requireCustomer(call.sql, customer_id)
    const asked = { body, idempotency_key, sender: 'operator' } as const
    const { row, replayed } = await post({ ...call, customer_id }, asked)
    const message = operatorMessageOf(row)
    if (!replayed) await mailIfUnread(call.sql, { message, customer_id })
    return answerOf(message, replayed)
  },
})

type Asked = {
  body: string
  idempotency_key: string | undefined
  sender: 'customer' | 'operator'
}

async function post({ sql, customer_id, caller }: Call, { body, idempotency_key, sender }: Asked) {
  const id = newId('msg')
  const key = idempotency_key ?? null
  const operator = caller.kind === 'operator' ? caller.label : null
  const facts = { customer_id, id, sender, body, idempotency_key: key, operator }
  const { replayed, ...row } = await sql.one(postMessage, facts)
  if (replayed && row.body !== body) throw keyMismatch()
  return { row, replayed }
}

function answerOf<M extends SupportMessage>(message: M, replayed: boolean) {
  return replayed ? new Reply(message, { 'Idempotent-Replayed': 'true' }) : message
}

/** The audit log names the message; its text is not evidence, and is purged with the message. */
function targetOf(message: SupportMessage | undefined) {
  return { target_type: 'support_message', target: message?.id ?? null }
}
