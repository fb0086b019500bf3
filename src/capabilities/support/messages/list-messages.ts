// Lists the messages of the caller's conversation, or for an operator those of any customer.

import Type from 'typebox'
import { operation, operatorOnly, owner } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { byNumber } from '../../../lists/cursor.ts'
import { type Asked, pagesOf } from '../../../lists/paging.ts'
import { messagesOfCustomer, threadOfCustomer } from '../messages.sql.ts'
import { messageOf, operatorMessage, operatorMessageOf, supportMessage } from '../schemas.ts'

const ownPages = pagesOf('list_support_messages', byNumber)
const threadPages = pagesOf('read_support_thread', byNumber)

const besideMessages = {
  unread: Type.Integer({ description: 'The number of messages that the caller has not read.' }),
  last_event_id: Type.String({
    description: 'The newest event. Send it as "after" of a stream that continues from here.',
  }),
}

const page = Type.Object(
  {
    messages: Type.Array(supportMessage, { description: 'Newest first.' }),
    ...besideMessages,
    ...ownPages.gives,
  },
  { title: 'SupportMessagesResponse' },
)

const operatorPage = Type.Object(
  {
    messages: Type.Array(operatorMessage, { description: 'Newest first.' }),
    ...besideMessages,
    ...threadPages.gives,
  },
  { title: 'OperatorSupportMessagesResponse' },
)

export const listSupportMessages = operation({
  name: 'list_support_messages',
  does: "List the messages between the account and the service's operators, newest first.",
  more:
    'It marks nothing as read. A page begins below its cursor, so new messages never shift it. ' +
    'A reply takes minutes to a day: ask again later, or keep an event stream open.',
  at: 'GET /v1/support/messages',
  area: 'Support',
  who: owner('support:read'),
  takes: Type.Object(ownPages.takes),
  gives: page,
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'support',
      title: 'List support messages',
      examples: [{ limit: 10 }],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run(asked, { sql, customer_id }) {
    const page = await readPage(sql, { customer_id, asked, pages: ownPages })
    const { rows, thread, beside } = page
    return { messages: rows.map(messageOf), unread: thread?.customer_unread ?? 0, ...beside }
  },
})

export const readSupportThread = operation({
  name: 'read_support_thread',
  does: 'List the messages of a customer, newest first.',
  more: 'It marks nothing as read: a reply does, or marking the conversation as read.',
  at: 'GET /v1/internal/support/threads/{customer_id}',
  area: 'Support',
  who: operatorOnly(),
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({ description: 'The customer.' }),
    ...threadPages.takes,
  }),
  gives: operatorPage,
  fails: [],
  effect: 'none',
  async run({ customer_id, ...asked }, { sql }) {
    const page = await readPage(sql, { customer_id, asked, pages: threadPages })
    const { rows, thread, beside } = page
    const messages = rows.map(operatorMessageOf)
    return { messages, unread: thread?.operator_unread ?? 0, ...beside }
  },
})

/** Above every position. */
const after_all = 9_223_372_036_854_775_807n

type Wanted = { customer_id: CustomerId; asked: Asked; pages: typeof ownPages }

async function readPage(sql: Sql, { customer_id, asked, pages }: Wanted) {
  // First the state: an event after it is sent by the stream that begins there.
  const thread = await sql.maybe(threadOfCustomer, { customer_id })
  const { rows, next_cursor } = await pages.read(
    asked,
    ({ after, most }) =>
      sql.run(messagesOfCustomer, {
        ...{ customer_id, before: after ?? after_all, limit: BigInt(most) },
      }),
    ({ event }) => event,
  )
  const last_event_id = String(thread?.last_event ?? 0n)
  return { rows, thread, beside: { last_event_id, next_cursor } }
}
