// Lists conversations for operators: those that wait for a reply, the longest wait first.
import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { dateTime, nullable, oneOf, patterned, withDefault } from '../../../kit/schema.ts'
import { nextCursorField, operatorMessage, operatorMessageOf } from '../schemas.ts'
import { answeredThreads, type ThreadRow, waitingThreads } from './threads.sql.ts'

const states = ['waiting', 'answered'] as const

const thread = Type.Object(
  {
    customer_id: Type.String(),
    name: Type.String({ description: "The customer's name." }),
    email: Type.String({ description: "The owner's address." }),
    waiting_since: nullable(
      dateTime(
        'When the oldest message that no operator has read was sent, or null if all are read.',
      ),
    ),
    unread: Type.Integer({
      description: 'The number of messages of the customer that no operator has read.',
    }),
    unread_by_customer: Type.Integer({
      description: 'The number of messages that the customer has not read.',
    }),
    last_message: operatorMessage,
  },
  { title: 'SupportThread' },
)

export const listSupportThreads = operation({
  name: 'list_support_threads',
  does: 'List the conversations with customers: those that are waiting, the longest wait first.',
  at: 'GET /v1/internal/support/threads',
  area: 'Support',
  who: operatorOnly(),
  takes: Type.Object({
    state: withDefault(
      oneOf(states, {
        description:
          'waiting: the operators have not read a message. answered: they have read all; the ' +
          'latest come first.',
      }),
      'waiting',
    ),
    cursor: Type.Optional(
      patterned('^[0-9]{1,15}-[0-9A-Za-z_]{1,64}$', 'a next_cursor of this list', {
        description: 'next_cursor of the page before, with the same "state".',
      }),
    ),
    limit: withDefault(
      Type.Integer({ minimum: 1, maximum: 500, description: 'Conversations on a page.' }),
      100,
    ),
  }),
  gives: Type.Object(
    { threads: Type.Array(thread), next_cursor: nextCursorField },
    { title: 'SupportThreadsResponse' },
  ),
  fails: [],
  effect: 'none',
  async run({ state, cursor, limit }, { sql }) {
    const most = BigInt(limit + 1)
    const { at, after_customer } = placeOf(cursor, state)
    const asked = { at, after_customer, limit: most }
    const rows =
      state === 'waiting'
        ? await sql.run(waitingThreads, asked)
        : await sql.run(answeredThreads, asked)
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      threads: shown.map(threadOf),
      next_cursor: rows.length > limit && last ? cursorOf(last) : null,
    }
  },
})

/** Before the first conversation, or where the page before ended. */
function placeOf(cursor: string | undefined, state: (typeof states)[number]) {
  if (cursor === undefined)
    return state === 'waiting'
      ? { at: new Date(0), after_customer: '' }
      : { at: new Date(8.64e15 - 1), after_customer: '' }
  const [ms = '0', after_customer = ''] = cursor.split('-')
  return { at: new Date(Number(ms)), after_customer }
}

function cursorOf({ waiting_since, last_message_at, customer_id }: ThreadRow): string {
  return `${(waiting_since ?? last_message_at).getTime()}-${customer_id}`
}

function threadOf(row: ThreadRow) {
  return {
    customer_id: row.customer_id,
    name: row.name,
    email: row.email,
    waiting_since: row.waiting_since?.toISOString() ?? null,
    unread: row.operator_unread,
    unread_by_customer: row.customer_unread,
    last_message: operatorMessageOf(row),
  }
}
