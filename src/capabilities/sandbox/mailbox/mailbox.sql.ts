// SQL of the sandbox's mailbox: mails that were sent, by the callers that may read them.
import { type Row, statement } from '../../../db/statement.ts'

/**
 * The mails of these requests, and those to the address of this account, newest first. Each part
 * has the limit, too, so that it reads an index from its newest entry, and not all mails of a large
 * account.
 */
export const mailsOfBrowser = statement(
  'mailbox_of_browser',
  `select m.* from unnest(:requests::text[]) request cross join lateral (
      select id, kind, recipient, subject, ended_at as sent_at from mails
       where request_id = request and state = 'sent' order by id desc limit :limit::int) m
    union
   (select id, kind, recipient, subject, ended_at from mails
     where recipient = (select email from customers where id = :customer_id) and state = 'sent'
     order by id desc limit :limit::int)
    order by id desc limit :limit::int`,
  {
    nullable: ['customer_id'],
    not_null: ['id', 'kind', 'recipient', 'subject', 'sent_at'],
  },
)
export type MailboxRow = Row<'mailbox_of_browser'>

/** All mails, newest first. */
export const mailsOfAll = statement(
  'mailbox_of_all',
  `select id, kind, recipient, subject, ended_at as sent_at from mails
    where state = 'sent' order by id desc limit :limit::int`,
  { not_null: ['sent_at'] },
)

/** A mail that the caller may read. An operator may read any (`is_operator`). */
export const mailOfCaller = statement(
  'mailbox_mail',
  `select id, kind, recipient, subject, ended_at as sent_at from mails
    where id = :id and state = 'sent'
      and (:is_operator or request_id = any (:requests::text[])
           or recipient = (select email from customers where id = :customer_id))`,
  { nullable: ['customer_id'], not_null: ['sent_at'] },
)
