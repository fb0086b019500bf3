// SQL of the sandbox's mailbox: mails that were sent, by the callers that may read them.
import { type Row, statement } from '../../../db/statement.ts'

/** Newest first: of these requests, and to the address of this account. */
export const mailsOfBrowser = statement(
  'mailbox_of_browser',
  `select id, kind, recipient, subject, ended_at as sent_at from mails
    where state = 'sent' and id = any (array(
      select id from mails where request_id = any (:requests::text[])
      union
      select id from mails
       where recipient = (select email from customers where id = :customer_id)))
    order by id desc limit :limit::int`,
  { nullable: ['customer_id'], not_null: ['sent_at'] },
)
export type MailboxRow = Row<'mailbox_of_browser'>

/** Newest first, of all. */
export const mailsOfAll = statement(
  'mailbox_of_all',
  `select id, kind, recipient, subject, ended_at as sent_at from mails
    where state = 'sent' order by id desc limit :limit::int`,
  { not_null: ['sent_at'] },
)

/** One that the caller may read. `is_operator`: any. */
export const mailOfCaller = statement(
  'mailbox_mail',
  `select id, kind, recipient, subject, ended_at as sent_at from mails
    where id = :id and state = 'sent'
      and (:is_operator or request_id = any (:requests::text[])
           or recipient = (select email from customers where id = :customer_id))`,
  { nullable: ['customer_id'], not_null: ['sent_at'] },
)
