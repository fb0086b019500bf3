// Marks messages of the other side as read: the customer's own, or those of a customer for an
// operator.

import Type from 'typebox'
import { operation, operatorOnly, owner } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { customerAbsent, requireCustomer } from '../../account/index.ts'
import { messageAbsent } from '../faults.ts'
import { markRead } from '../messages.sql.ts'
import { positionOf, readResponse, upToField } from '../schemas.ts'

export const markSupportRead = operation({
  name: 'mark_support_messages_read',
  does: "Mark the operators' messages as read.",
  more: 'A message that comes in between stays unread where "up_to" names the newest one seen.',
  at: 'POST /v1/support/messages/read',
  area: 'Support',
  who: { ...owner('support:write'), while_suspended: true },
  takes: Type.Object({ up_to: upToField }),
  gives: readResponse,
  fails: [messageAbsent],
  effect: 'transaction',
  target: ({ up_to }) => ({ target_type: 'support_message', target: up_to ?? null }),
  run: ({ up_to }, { sql, customer_id }) => mark(sql, { customer_id, up_to, reader: 'customer' }),
})

export const markThreadRead = operation({
  name: 'mark_support_thread_read',
  does: "Mark a customer's messages as read if they need no reply.",
  at: 'POST /v1/internal/support/messages/read',
  area: 'Support',
  who: operatorOnly(),
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({
      minLength: 1,
      maxLength: 64,
      description: 'The customer.',
    }),
    up_to: upToField,
  }),
  gives: readResponse,
  fails: [messageAbsent, customerAbsent],
  effect: 'transaction',
  target: ({ customer_id, up_to }, done) => ({
    target_type: 'support_message',
    target: up_to ?? null,
    ...(done && { customer_id }),
  }),
  async run({ customer_id, up_to }, { sql }) {
    await requireCustomer(sql, customer_id)
    return mark(sql, { customer_id, up_to, reader: 'operator' })
  },
})

type Marked = {
  customer_id: CustomerId
  up_to: string | undefined
  reader: 'customer' | 'operator'
}

async function mark(sql: Sql, { customer_id, up_to: id, reader }: Marked) {
  const up_to = await positionOf(sql, { customer_id, id })
  return sql.one(markRead, { customer_id, reader, up_to })
}
