// Posts customers' messages to the operators' chat, each at least once, with retries.
import type { Chat } from '../../../adapters/chat/port.ts'
import { literalText } from '../../../adapters/chat/slack-webhook.ts'
import { type App, job } from '../../../app.ts'
import { done, type TaskEnd, workTasks } from '../../../tasks/index.ts'
import { messageWithOwner } from '../messages.sql.ts'
import { postToChat } from './notify-operators.ts'

const at_once = 5
/** The lease is longer than an attempt takes. */
const lease_ms = 20_000

export const postSupportMessages = job({
  name: 'post_support_messages',
  does: "Posts customers' messages to the webhook of SUPPORT_WEBHOOK_URL.",
  every_ms: 1_000,
  per_node: true,
  task_kind: postToChat.kind,
  async run(app) {
    const { chat } = app
    if (chat === null) return { more: false }
    const claimed = await workTasks(app, postToChat, {
      limit: at_once,
      lease_ms,
      handle: ({ payload, is_last }) => post(app, chat, { id: payload.message_id, is_last }),
    })
    return { more: claimed === at_once }
  },
})

type Due = { id: string; is_last: boolean }

async function post(app: App, chat: Chat, { id, is_last }: Due): Promise<TaskEnd> {
  const message = await app.db.maybe(messageWithOwner, { id })
  if (!message) return done
  const { name, email, customer_id, body } = message
  const head = `Support: ${name} (${email}, ${customer_id})`
  const posting = await chat.post(literalText(`${head}\n${body}`))
  if (posting.kind === 'posted') return done
  const { reason, retry_after_s } = posting
  const facts = { message: id, reason }
  if (is_last) {
    app.log.error(
      { ...facts, alarm: 'support_message_not_posted' },
      'support message failed permanently',
    )
    return { end: 'dead', reason }
  }
  app.log.warn(facts, 'support message not posted yet')
  return { end: 'retry', reason, ...(retry_after_s && { in_ms: retry_after_s * 1_000 }) }
}
