// SQL of support messages.
import { type Row, statement } from '../../db/statement.ts'

const columns = 'id, event, sender, operator, body, created_at, read_at'

/** Newest first, below an event. */
export const messagesOfCustomer = statement(
  'support_messages_of_customer',
  `select ${columns} from support_messages
    where customer_id = :customer_id and event < :before
    order by event desc limit :limit`,
)
export type MessageRow = Pick<
  Row<'support_messages_of_customer'>,
  'id' | 'sender' | 'body' | 'created_at' | 'read_at'
>
export type OperatorMessageRow = MessageRow & { operator: string | null }

/** The state of a conversation, or no row if nothing was written yet. */
export const threadOfCustomer = statement(
  'support_threads_of_customer',
  `select last_event, customer_unread, operator_unread from support_threads
    where customer_id = :customer_id`,
)

/** Stores a message, or finds the one with this key (functions/support.sql). */
export const postMessage = statement(
  'support_messages_post',
  `select id, sender, operator, body, created_at, read_at, replayed
     from support_post(:customer_id, :id, :sender, :body, :idempotency_key, :operator)`,
  {
    not_null: ['id', 'sender', 'body', 'created_at', 'replayed'],
    nullable: ['idempotency_key', 'operator'],
    writes: true,
  },
)

/** Marks the messages of the other side as read, up to an event or all. */
export const markRead = statement(
  'support_messages_mark_read',
  'select marked, unread from support_read(:customer_id, :reader, :up_to)',
  { not_null: ['marked', 'unread'], nullable: ['up_to'], writes: true },
)

/** The position of a message in the conversation of the customer. */
export const eventOfMessage = statement(
  'support_messages_event_of',
  'select event from support_messages where id = :id and customer_id = :customer_id',
)

/** A message with its customer. */
export const messageWithOwner = statement(
  'support_messages_with_owner',
  `select m.id, m.customer_id, m.body, m.created_at, c.name, c.email
     from support_messages m join customers c on c.id = m.customer_id
    where m.id = :id`,
)

/**
 * Messages to the customer that are unread and were in no mail yet, oldest first. Two mails about
 * one conversation wait for each other.
 */
export const unmailedMessages = statement(
  'support_messages_unmailed',
  `select m.id, m.event, m.body
     from support_threads t
     join support_messages m on m.customer_id = t.customer_id and m.event > t.mailed_event
    where t.customer_id = :customer_id and m.read_at is null and m.sender <> 'customer'
    order by m.event limit :limit
      for no key update of t`,
)

/** When the operators are mailed about a message that is written now. */
export const nextOperatorsMail = statement(
  'support_threads_next_operators_mail',
  `select greatest(clock_timestamp(),
                   operators_mailed_at + :pause_s::int * interval '1 second') as run_at
     from support_threads where customer_id = :customer_id`,
  { not_null: ['run_at'] },
)

/**
 * Messages of the customer that no operator has read and that were in no mail to the operators yet,
 * oldest first. Two mails about one conversation wait for each other.
 */
export const unmailedToOperators = statement(
  'support_messages_unmailed_to_operators',
  `select m.id, m.event, m.body
     from support_threads t
     join support_messages m
       on m.customer_id = t.customer_id and m.event > t.operators_mailed_event
    where t.customer_id = :customer_id and m.read_at is null and m.sender = 'customer'
    order by m.event limit :limit
      for no key update of t`,
)

/** Notes that the operators were mailed about the messages up to an event. */
export const noteOperatorsMailed = statement(
  'support_threads_note_operators_mailed',
  `update support_threads
      set operators_mailed_event = greatest(operators_mailed_event, :event),
          operators_mailed_at = clock_timestamp()
    where customer_id = :customer_id`,
)

/** Notes that the owner was mailed about the messages up to an event. */
export const noteMailed = statement(
  'support_threads_note_mailed',
  `update support_threads set mailed_event = greatest(mailed_event, :event)
    where customer_id = :customer_id`,
)
