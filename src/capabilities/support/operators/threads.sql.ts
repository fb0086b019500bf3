// SQL of the operators' list of conversations, each with its newest message.
import { type Row, statement } from '../../../db/statement.ts'

const columns = `t.customer_id, c.name, c.email, t.last_message_at, t.waiting_since,
  t.operator_unread, t.customer_unread, m.id, m.sender, m.operator, m.body, m.created_at, m.read_at`

const newest = `cross join lateral (
     select id, sender, operator, body, created_at, read_at from support_messages
      where customer_id = t.customer_id order by event desc limit 1) m`

/** Conversations in which a message waits for an operator, the longest wait first. */
export const waitingThreads = statement(
  'support_threads_waiting',
  `select ${columns} from support_threads t join customers c on c.id = t.customer_id ${newest}
    where t.waiting_since is not null
      and (t.waiting_since, t.customer_id) > (:at::timestamptz, :after_customer)
    order by t.waiting_since, t.customer_id limit :limit`,
)
export type ThreadRow = Row<'support_threads_waiting'>

/** Conversations in which none waits, the latest message first. */
export const answeredThreads = statement(
  'support_threads_answered',
  `select ${columns} from support_threads t join customers c on c.id = t.customer_id ${newest}
    where t.waiting_since is null
      and (t.last_message_at, t.customer_id) < (:at::timestamptz, :after_customer)
    order by t.last_message_at desc, t.customer_id desc limit :limit`,
)
