// SQL of the outbox.
import { type Row, statement } from '../../db/statement.ts'

export const insertMail = statement(
  'mails_insert',
  `insert into mails
     (id, customer_id, kind, dedupe_key, recipient, subject, body, sealed, lease_token)
   values (:id, :customer_id, :kind, :dedupe_key, :recipient, :subject, :body, :sealed, 'tasks')
   on conflict (dedupe_key) do nothing`,
  { nullable: ['customer_id'] },
)

export const addressee = statement(
  'mails_addressee',
  'select email, name from customers where id = :id',
)

/**
 * The mail is about to be sent. No row: it has ended, or a node of the version before has
 * claimed it. `run_at` and `lease_token` are for that version alone (migration 0051).
 */
export const startMail = statement(
  'mails_start',
  `update mails
      set state = 'sending', lease_token = 'tasks',
          run_at = clock_timestamp() + interval '3 minutes'
    where id = :id and state in ('queued', 'sending')
      and (lease_token = 'tasks' or run_at <= clock_timestamp())
   returning kind, recipient, subject, body, sealed, created_at`,
  { not_null: ['body'] },
)
export type StartedMail = Row<'mails_start'>

export const isMailOpen = statement(
  'mails_is_open',
  `select id from mails where id = :id and state in ('queued', 'sending')`,
)

export const markSent = statement(
  'mails_mark_sent',
  `update mails
      set state = 'sent', sent_at = clock_timestamp(), run_at = clock_timestamp(),
          attempts = attempts + 1, lease_token = null, last_error = null,
          body = case when sealed then null else body end
    where id = :id and state <> 'sent'`,
)

/** To be tried again in `in_ms`; `attempts` more count. */
export const putBack = statement(
  'mails_put_back',
  `update mails
      set state = 'queued', run_at = clock_timestamp() + :in_ms::int * interval '1 millisecond',
          attempts = attempts + :attempts::int, last_error = :last_error
    where id = :id and state = 'sending' and lease_token = 'tasks'`,
)

/** The mail ends unsent. */
export const markFailed = statement(
  'mails_mark_failed',
  `update mails
      set state = 'failed', run_at = clock_timestamp(), attempts = attempts + 1,
          lease_token = null, last_error = :last_error,
          body = case when sealed then null else body end
    where id = :id and state = 'sending' and lease_token = 'tasks'`,
)

/** Texts of up to `limit` mails that ended so many days ago or earlier. */
export const purgeBodies = statement(
  'mails_purge_bodies',
  `update mails set body = null
    where id = any (array(
      select id from mails
       where state in ('sent', 'failed') and body is not null
         and run_at < statement_timestamp() - :days::int * interval '1 day'
       order by run_at limit :limit::int))`,
)

/**
 * How the outbox stands: mails that wait, how late the latest is, and how many of them a server
 * that was away has held up; mails that failed within a day.
 */
export const readOutbox = statement(
  'mails_outbox',
  `select count(*) as waiting,
          coalesce(greatest(0, extract(epoch from clock_timestamp() - min(run_at))), 0)::float8
            as late_s,
          count(*) filter (where attempts = 0 and last_error is not null) as held_up,
          (select count(*) from mails
            where state = 'failed' and run_at > statement_timestamp() - interval '1 day') as failed
     from mails where state in ('queued', 'sending')`,
  { not_null: ['waiting', 'late_s', 'held_up', 'failed'] },
)
