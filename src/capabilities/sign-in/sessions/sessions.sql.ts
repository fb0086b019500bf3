// SQL of sessions.
import { type Row, statement } from '../../../db/statement.ts'

const columns = 'id, created_at, signed_in_at, last_used_at, expires_at, agent, address'

/**
 * No row: the password was changed ($7 is when it was set) since it was checked. Its row is locked,
 * so that a concurrent change finds this session and ends it, and log-ins of one account are
 * serialised.
 */
export const insertSession = statement(
  'sessions_insert',
  `with checked as (
     select customer_id from passwords
      where customer_id = $1 and date_trunc('milliseconds', changed_at) = $7
        for no key update
   )
   insert into sessions
     (customer_id, token_hash, created_at, signed_in_at, last_used_at, expires_at, agent, address)
   select customer_id, $2, $3, $3, $3, $4, $5, $6 from checked
   returning id`,
)

export const sessionOfHash = statement(
  'sessions_of_hash',
  `select s.id, s.customer_id, s.signed_in_at, s.last_used_at, s.expires_at,
          c.status = 'suspended' as suspended
     from sessions s join customers c on c.id = s.customer_id
    where s.token_hash = $1 and s.ended_at is null and c.status <> 'closed'`,
  { not_null: ['suspended'] },
)

/** Those that are valid at $2 and were used since $3, newest first. */
export const liveSessions = statement(
  'sessions_live',
  `select ${columns} from sessions
    where customer_id = $1 and ended_at is null and expires_at > $2 and last_used_at > $3
    order by id desc limit $4::int`,
)
export type SessionRow = Row<'sessions_live'>

/** Ends one. */
export const endSessionOfId = statement(
  'sessions_end',
  `update sessions set ended_at = $3
    where customer_id = $1 and id = $2 and ended_at is null`,
)

/** Ends those that are valid at $2, were used since $3, and have $4 newer ones. */
export const endOldest = statement(
  'sessions_end_oldest',
  `update sessions set ended_at = $2
    where id in (
      select id from sessions
       where customer_id = $1 and ended_at is null and expires_at > $2 and last_used_at > $3
       order by id desc offset $4::int)`,
)

/** Ends all but $2 (null: all). */
export const endSessionsBut = statement(
  'sessions_end_all',
  `update sessions set ended_at = $3
    where customer_id = $1 and ended_at is null and ($2::bigint is null or id <> $2::bigint)`,
  { nullable: [2] },
)

/** When the password was last entered in it. No row: it ended meanwhile. */
export const signInAgain = statement(
  'sessions_sign_in_again',
  `update sessions set signed_in_at = $3
    where customer_id = $1 and id = $2 and ended_at is null
   returning id`,
)

/** Whether the customer has, or had, such a session. */
export const anySession = statement(
  'sessions_any',
  'select id from sessions where customer_id = $1 and id = $2',
)

/** Sessions whose row is busy, or that have a later use, are left out. */
export const flushSessionUses = statement(
  'sessions_flush_uses',
  `with used as (
     select s.id, u.at
       from unnest($1::bigint[], $2::timestamptz[]) as u (id, at)
       join sessions s on s.id = u.id
      where s.last_used_at < u.at
      order by s.id
        for no key update of s skip locked
   )
   update sessions s set last_used_at = used.at from used where s.id = used.id`,
)
