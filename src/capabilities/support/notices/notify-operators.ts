// Notifies the operators of a customer's message: by mail and by the webhook of a chat, from the
// task queue, so that the message never waits for either.

import Type from 'typebox'
import type { Chat } from '../../../adapters/chat/port.ts'
import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { enqueue, taskKind } from '../../../tasks/index.ts'
import { mailToOperators } from './mail-operators.job.ts'

declare module '../../../app.ts' {
  interface App {
    /** Where the operators are notified of messages, or null if no webhook is set. */
    chat: Chat | null
  }
}

/** It is retried for about three days, in the end once an hour. */
export const postToChat = taskKind({
  kind: 'post_support_message',
  payload: Type.Object({ message_id: Type.String() }),
  backoff: { first_ms: 1_000, longest_ms: 3_600_000 },
  most_attempts: 80,
})

type Posted = { message: { id: string }; customer_id: CustomerId }

/** Call it in the transaction of the message. */
export async function notifyOperators(
  { settings, chat }: Pick<App, 'settings' | 'chat'>,
  sql: Sql,
  { message: { id }, customer_id }: Posted,
): Promise<void> {
  if (settings.support_email !== null) await mailToOperators(sql, { message: { id }, customer_id })
  if (chat !== null) await enqueue(sql, postToChat, { key: id, payload: { message_id: id } })
}
