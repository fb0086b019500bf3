// Lists the messages of the caller's conversation, or for an operator those of any customer.
import Type from 'typebox'
import { operation, operatorOnly, owner } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { messagesOfCustomer, threadOfCustomer } from '../messages.sql.ts'
import {
  messageOf,
  nextCursorField,
  operatorMessage,
  operatorMessageOf,
  pageFields,
  supportMessage,
} from '../schemas.ts'

const besideMessages = {
  unread: Type.Integer({ description: 'The number of messages that the caller has not read.' }),
  last_event_id: Type.String({
    description: 'The newest event. Send it as "after" of a stream that continues from here.',
  }),
  next_cursor: nextCursorField,
}

const page = Type.Object(
  {
    messages: Type.Array(supportMessage, { description: 'Newest first.' }),
    ...besideMessages,
  },
  { title: 'SupportMessagesResponse' },
)

const operatorPage = Type.Object(
  {
    messages: Type.Array(operatorMessage, { description: 'Newest first.' }),
    ...besideMessages,
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
  takes: Type.Object(pageFields),
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
  async run(input, { sql, customer_id }) {
    const { rows, ...beside } = await pageFor(sql, { ...input, customer_id, by: 'customer' })
    return { messages: rows.map(messageOf), ...beside }
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
    customer_id: Type.String({ description: 'The customer.' }),
    ...pageFields,
  }),
  gives: operatorPage,
  fails: [],
  effect: 'none',
  async run(input, { sql }) {
    const { rows, ...beside } = await pageFor(sql, { ...input, by: 'operator' })
    return { messages: rows.map(operatorMessageOf), ...beside }
  },
})

type Asked = {
  customer_id: string
  by: 'customer' | 'operator'
  cursor?: string
  limit: number
}

/** Above every position. */
const after_all = 9_223_372_036_854_775_807n

async function pageFor(sql: Sql, { customer_id, by, cursor, limit }: Asked) {
  const before = cursor === undefined ? after_all : BigInt(cursor)
  // First the state: an event after it is sent by the stream that begins there.
  const thread = await sql.maybe(threadOfCustomer, { customer_id })
  const rows = await sql.run(messagesOfCustomer, {
    customer_id,
    before,
    limit: BigInt(limit + 1),
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const unread = by === 'customer' ? thread?.customer_unread : thread?.operator_unread
  return {
    rows: shown,
    unread: unread ?? 0,
    last_event_id: String(thread?.last_event ?? 0n),
    next_cursor: rows.length > limit && last ? String(last.event) : null,
  }
}
