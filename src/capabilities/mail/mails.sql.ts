// SQL of the outbox.
import { type Row, statement } from '../../db/statement.ts'

/** Returns no row if the event was mailed before. */
export const insertMail = statement(
  'mails_insert',
  `with key as (
     insert into mail_dedupe_keys (mail_id, dedupe_key) values (:id, :dedupe_key)
     on conflict (dedupe_key) do nothing
     returning mail_id, dedupe_key)
   insert into mails (id, customer_id, kind, dedupe_key, recipient, subject, body, html,
                      sealed, request_id)
   select mail_id, :customer_id, :kind, dedupe_key, :recipient, :subject, :body, :html, :sealed,
          :request_id
     from key`,
  { nullable: ['customer_id', 'html', 'request_id'] },
)

export const addressee = statement(
  'mails_addressee',
  'select email, name from customers where id = :id',
)

/** A waiting mail, or no row if it was sent or given up. */
export const readQueuedMail = statement(
  'mails_read_queued',
  `select kind, customer_id, recipient, subject, body, html, sealed, created_at from mails
    where id = :id and state = 'queued'`,
  { not_null: ['body'] },
)
export type QueuedMailRow = Row<'mails_read_queued'>

export const markSent = statement(
  'mails_mark_sent',
  `update mails
      set state = 'sent', ended_at = clock_timestamp(),
          body = case when sealed then null else body end,
          html = case when sealed then null else html end
    where id = :id and state <> 'sent'`,
)

export const mailById = statement(
  'mails_by_id',
  `select state, body is not null as text from mails where id = :id`,
  { not_null: ['text'] },
)

/** Returns no row if it waits already, or its text is deleted. */
export const requeueMail = statement(
  'mails_requeue',
  `update mails set state = 'queued', ended_at = null
    where id = :id and state <> 'queued' and body is not null`,
)

/** Ends a mail that was not sent. */
export const markFailed = statement(
  'mails_mark_failed',
  `update mails
      set state = 'failed', ended_at = clock_timestamp(),
          body = case when sealed then null else body end,
          html = case when sealed then null else html end
    where id = :id and state = 'queued'`,
)

/** Deletes the texts of up to `limit` mails that ended at least `days` days ago. */
export const purgeBodies = statement(
  'mails_purge_bodies',
  `update mails set body = null, html = null
    where id = any (array(
      select id from mails
       where body is not null and ended_at < statement_timestamp() - :days::int * interval '1 day'
       order by ended_at limit :limit::int))`,
)

/**
 * The state of the outbox: the number of waiting mails, how late the latest is, and how many of
 * them an unreachable server has held up; and the number of mails that failed within a day.
 */
export const readOutbox = statement(
  'mails_outbox',
  `select count(*) as waiting,
          coalesce(greatest(0, extract(epoch from
            clock_timestamp() - min(greatest(run_at, lease_until)))), 0)::float8 as late_s,
          count(*) filter (where attempts = 0 and last_error is not null) as held_up,
          (select count(*) from mails
            where state = 'failed' and ended_at > statement_timestamp() - interval '1 day'
          ) as failed
     from tasks where kind = 'send_mail' and dead_at is null`,
  { not_null: ['waiting', 'late_s', 'held_up', 'failed'] },
)
