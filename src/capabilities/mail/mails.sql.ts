// SQL of the outbox.
import { type Row, statement } from '../../db/statement.ts'

/**
 * $1 id, $2 customer or null, $3 kind, $4 dedupe key, $5 address, $6 subject, $7 text, $8 sealed.
 */
export const insertMail = statement(
  'mails_insert',
  `insert into mails
     (id, customer_id, kind, dedupe_key, recipient, subject, body, sealed, lease_token)
   values ($1, $2, $3, $4, $5, $6, $7, $8, 'tasks')
   on conflict (dedupe_key) do nothing`,
  { nullable: [2] },
)

export const addressee = statement(
  'mails_addressee',
  'select email, name from customers where id = $1',
)

/**
 * The mail $1 is about to be sent. No row: it has ended, or a node of the version before has
 * claimed it. `run_at` and `lease_token` are for that version alone (migration 0051).
 */
export const startMail = statement(
  'mails_start',
  `update mails
      set state = 'sending', lease_token = 'tasks',
          run_at = clock_timestamp() + interval '3 minutes'
    where id = $1 and state in ('queued', 'sending')
      and (lease_token = 'tasks' or run_at <= clock_timestamp())
   returning kind, recipient, subject, body, sealed, created_at`,
  { not_null: ['body'] },
)
export type StartedMail = Row<'mails_start'>

export const isMailOpen = statement(
  'mails_is_open',
  `select id from mails where id = $1 and state in ('queued', 'sending')`,
)

export const markSent = statement(
  'mails_mark_sent',
  `update mails
      set state = 'sent', sent_at = clock_timestamp(), run_at = clock_timestamp(),
          attempts = attempts + 1, lease_token = null, last_error = null,
          body = case when sealed then null else body end
    where id = $1 and state <> 'sent'`,
)

/** To be tried again in $2 ms; $3 more attempts count; $4 says why. */
export const putBack = statement(
  'mails_put_back',
  `update mails
      set state = 'queued', run_at = clock_timestamp() + $2::int * interval '1 millisecond',
          attempts = attempts + $3::int, last_error = $4
    where id = $1 and state = 'sending' and lease_token = 'tasks'`,
)

/** The mail ends unsent: $2 says why. */
export const markFailed = statement(
  'mails_mark_failed',
  `update mails
      set state = 'failed', run_at = clock_timestamp(), attempts = attempts + 1,
          lease_token = null, last_error = $2, body = case when sealed then null else body end
    where id = $1 and state = 'sending' and lease_token = 'tasks'`,
)

/** Texts of mails that ended $1 days ago or earlier, up to $2 of them. */
export const purgeBodies = statement(
  'mails_purge_bodies',
  `update mails set body = null
    where id = any (array(
      select id from mails
       where state in ('sent', 'failed') and body is not null
         and run_at < statement_timestamp() - $1::int * interval '1 day'
       order by run_at limit $2::int))`,
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
