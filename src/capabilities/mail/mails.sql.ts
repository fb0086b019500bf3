// SQL of the outbox.
import { type Row, statement } from '../../db/statement.ts'

/**
 * $1 id, $2 customer or null, $3 kind, $4 dedupe key, $5 address, $6 subject, $7 text, $8 sealed.
 */
export const insertMail = statement(
  'mails_insert',
  `insert into mails (id, customer_id, kind, dedupe_key, recipient, subject, body, sealed)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (dedupe_key) do nothing`,
  { nullable: [2] },
)

export const addressee = statement(
  'mails_addressee',
  'select email, name from customers where id = $1',
)

/**
 * Claims up to $1 due mails for $2 ms, under the token $3; no other node gets them meanwhile.
 * Oldest first.
 */
export const claimMails = statement(
  'mails_claim',
  `with due as (
     select id from mails
      where state in ('queued', 'sending') and run_at <= statement_timestamp()
      order by run_at, id limit $1::int
        for update skip locked
   ), claimed as (
     update mails m
        set state = 'sending', lease_token = $3,
            run_at = clock_timestamp() + $2::int * interval '1 millisecond'
       from due where m.id = due.id
     returning m.id, m.kind, m.recipient, m.subject, m.body, m.sealed, m.attempts,
               m.created_at
   )
   select * from claimed order by created_at, id`,
  { not_null: ['body'] },
)
export type ClaimedMail = Row<'mails_claim'>

/** A mail that was taken is sent, whoever has claimed it by now. */
export const markSent = statement(
  'mails_mark_sent',
  `update mails
      set state = 'sent', sent_at = clock_timestamp(), run_at = clock_timestamp(),
          attempts = attempts + 1, lease_token = null, last_error = null,
          body = case when sealed then null else body end
    where id = $1 and state <> 'sent'`,
)

/** The claim $2 ends: to be tried again in $3 ms; $4 more attempts count; $5 says why. */
export const putBack = statement(
  'mails_put_back',
  `update mails
      set state = 'queued', run_at = clock_timestamp() + $3::int * interval '1 millisecond',
          attempts = attempts + $4::int, lease_token = null, last_error = $5
    where id = $1 and lease_token = $2`,
)

/** The claim $2 ends, and so does the mail: $3 says why. */
export const markFailed = statement(
  'mails_mark_failed',
  `update mails
      set state = 'failed', run_at = clock_timestamp(), attempts = attempts + 1,
          lease_token = null, last_error = $3, body = case when sealed then null else body end
    where id = $1 and lease_token = $2`,
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

/** Up to $2 mails that ended $1 days ago or earlier. */
export const purgeEnded = statement(
  'mails_purge',
  `delete from mails
    where id = any (array(
      select id from mails
       where state in ('sent', 'failed')
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
