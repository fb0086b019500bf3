// Fields and responses of support messages.

import Type, { type Static } from 'typebox'
import type { Sql } from '../../db/database.ts'
import { InvalidInput } from '../../kit/fault.ts'
import type { CustomerId } from '../../kit/random.ts'
import { dateTime, identifier, nullable, oneOf, patterned, wordOf } from '../../kit/schema.ts'
import { messageAbsent } from './faults.ts'
import { eventOfMessage, type MessageRow, type OperatorMessageRow } from './messages.sql.ts'

const senders = ['customer', 'operator', 'system'] as const

export const supportMessage = Type.Object(
  {
    id: identifier('msg', 'The id of the message.'),
    sender: oneOf(senders, {
      description: 'The sender: "customer" is your side, and "operator" a person of this service.',
    }),
    body: Type.String({ description: 'Plain text, with line breaks as they were sent.' }),
    created_at: dateTime('When it was sent.'),
    read_at: nullable(dateTime('When the other side read it, or null if it has not yet.')),
  },
  { title: 'SupportMessageResponse' },
)
export type SupportMessage = Static<typeof supportMessage>

/** The response for a row. */
export function messageOf(row: MessageRow): SupportMessage {
  const { id, sender, body, created_at, read_at } = row
  return {
    id,
    sender: wordOf(senders, sender),
    body,
    created_at: created_at.toISOString(),
    read_at: read_at === null ? null : read_at.toISOString(),
  }
}

/** A message as operators see it, several of whom share a conversation. */
export const operatorMessage = Type.Object(
  {
    ...supportMessage.properties,
    operator: nullable(
      Type.String({
        description:
          "The operator's name, which customers do not see, or null if no operator sent it.",
      }),
    ),
  },
  { title: 'OperatorSupportMessage' },
)
type OperatorMessage = Static<typeof operatorMessage>

export function operatorMessageOf(row: OperatorMessageRow): OperatorMessage {
  return { ...messageOf(row), operator: row.operator }
}

// Tabs and line breaks are the only control characters of a text. The classes that follow each
// other are
// disjoint, so that no text is tried in two ways.
const not_blank =
  '^[^\\S\\x0b\\x0c]*[^\\s\\x00-\\x1f\\x7f][^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$'

export const bodyField = patterned(not_blank, 'a text that is not blank, in printable characters', {
  maxLength: 4000,
  description: 'Plain text, 1 to 4000 characters, not blank.',
})

export const idempotencyField = Type.Optional(
  patterned('^[\\x21-\\x7e]+$', 'printable ASCII characters without spaces', {
    minLength: 1,
    maxLength: 255,
    description: 'A request that is repeated with the same key sends no second message.',
  }),
)

export const upToField = Type.Optional(
  identifier('msg', 'The newest message that was seen, or all messages if it is left out.'),
)

export const readResponse = Type.Object(
  {
    marked: Type.Integer({ description: 'The number of messages that were unread until now.' }),
    unread: Type.Integer({ description: 'The number of messages that are unread now.' }),
  },
  { title: 'SupportReadResponse' },
)

/** The fault for a key that was used with another message. */
export function keyMismatch(): InvalidInput {
  return new InvalidInput([
    {
      path: ['idempotency_key'],
      msg: 'This key was used with another request; use a new key',
      type: 'idempotency_key_mismatch',
    },
  ])
}

/** The position of a message; null without one. Throws messageAbsent. */
export async function positionOf(
  sql: Sql,
  { customer_id, id }: { customer_id: CustomerId; id: string | undefined },
): Promise<bigint | null> {
  if (id === undefined) return null
  const row = await sql.maybe(eventOfMessage, { customer_id, id })
  if (!row) throw messageAbsent()
  return row.event
}
