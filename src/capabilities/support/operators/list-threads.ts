// Lists conversations for operators: those that wait for a reply, the longest wait first.

import Type from 'typebox'
import type { CustomerId } from '../../../kit/random.ts'
import { dateTime, nullable, oneOf, stringOf, withDefault } from '../../../kit/schema.ts'
import { byBoth, byMoment, byText } from '../../../lists/cursor.ts'
import { workList } from '../../../lists/work-list.ts'
import { operatorMessage, operatorMessageOf } from '../schemas.ts'
import { answeredThreads, type ThreadRow, waitingThreads } from './threads.sql.ts'

const states = ['waiting', 'answered'] as const

const thread = Type.Object(
  {
    customer_id: stringOf<CustomerId>(),
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

const beforeFirst = { waiting: new Date(0), answered: new Date(8.64e15 - 1) }

export const listSupportThreads = workList({
  name: 'list_support_threads',
  does: 'List the conversations with customers: those that are waiting, the longest wait first.',
  at: 'GET /v1/internal/support/threads',
  area: 'Support',
  filters: {
    state: withDefault(
      oneOf(states, {
        description:
          'waiting: the operators have not read a message. answered: they have read all; the ' +
          'latest come first.',
      }),
      'waiting',
    ),
  },
  entries: 'threads',
  entry: thread,
  title: 'SupportThreadsResponse',
  by: byBoth(byMoment, byText),
  read({ after, most }, { sql }, { state }) {
    const [at, after_customer] = after ?? [beforeFirst[state], '']
    const asked = { at, after_customer, limit: BigInt(most) }
    return state === 'waiting' ? sql.run(waitingThreads, asked) : sql.run(answeredThreads, asked)
  },
  keyOf: ({ waiting_since, last_message_at, customer_id }) =>
    [waiting_since ?? last_message_at, customer_id] as const,
  present: (rows) => rows.map(threadOf),
})

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
