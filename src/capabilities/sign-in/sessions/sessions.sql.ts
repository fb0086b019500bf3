// SQL of sessions.
import { type Row, statement } from '../../../db/statement.ts'

const columns = 'id, created_at, signed_in_at, last_used_at, expires_at, agent, address'

/**
 * Returns no row if the password was changed since the checked one, which is of
 * `password_changed_at`. Its row is locked, so that a concurrent change finds this session and ends
 * it, and log-ins of one account are serialised.
 */
export const insertSession = statement(
  'sessions_insert',
  `with checked as (
     select customer_id from passwords
      where customer_id = :customer_id
        and date_trunc('milliseconds', changed_at) = :password_changed_at
        for no key update
   )
   insert into sessions
     (customer_id, token_hash, created_at, signed_in_at, last_used_at, expires_at, agent, address,
      begun_in)
   select customer_id, :token_hash, :now, :signed_in_at, :now, :expires_at, :agent, :address,
          :begun_in
     from checked
   returning id`,
  { nullable: ['begun_in'] },
)

/** Returns no row if the account is closed. Log-ins of one account are serialized here, too. */
export const insertSessionWithoutPassword = statement(
  'sessions_insert_without_password',
  `with owner as (
     select id from customers
      where id = :customer_id and status <> 'closed' for no key update
   )
   insert into sessions
     (customer_id, token_hash, created_at, signed_in_at, last_used_at, expires_at, agent, address,
      begun_in)
   select id, :token_hash, :now, :signed_in_at, :now, :expires_at, :agent, :address, :begun_in
     from owner
   returning id`,
  { nullable: ['begun_in'] },
)

export const sessionOfHash = statement(
  'sessions_of_hash',
  `select s.id, s.customer_id, s.signed_in_at, s.last_used_at, s.expires_at,
          c.status = 'suspended' as suspended
     from sessions s join customers c on c.id = s.customer_id
    where s.token_hash = :token_hash and s.ended_at is null and c.status <> 'closed'`,
  { not_null: ['suspended'] },
)

/** Why `sessionOfHash` or the clock refuses the session with this hash. */
export const sessionRefusalOfHash = statement(
  'sessions_refusal_of_hash',
  `select s.ended_at is not null as ended, c.status = 'closed' as closed
     from sessions s join customers c on c.id = s.customer_id
    where s.token_hash = :token_hash`,
  { not_null: ['ended', 'closed'] },
)

/** Sessions that are valid at `now` and were used since `used_since`, newest first. */
export const liveSessions = statement(
  'sessions_live',
  `select ${columns} from sessions
    where customer_id = :customer_id and ended_at is null and expires_at > :now
      and last_used_at > :used_since
    order by id desc limit :limit::int`,
)
export type SessionRow = Row<'sessions_live'>

/** Ends one session. */
export const endSessionOfId = statement(
  'sessions_end',
  `update sessions set ended_at = :ended_at
    where customer_id = :customer_id and id = :id and ended_at is null`,
)

/**
 * Ends sessions that are valid at `now`, were used since `used_since`, and have `keep` newer ones.
 */
export const endOldest = statement(
  'sessions_end_oldest',
  `update sessions set ended_at = :now
    where id in (
      select id from sessions
       where customer_id = :customer_id and ended_at is null and expires_at > :now
         and last_used_at > :used_since
       order by id desc offset :keep::int)`,
)

/** Ends all sessions except `except_id`, or all if that is null. */
export const endSessionsBut = statement(
  'sessions_end_all',
  `update sessions set ended_at = :ended_at
    where customer_id = :customer_id and ended_at is null
      and (:except_id::bigint is null or id <> :except_id::bigint)`,
  { nullable: ['except_id'] },
)

/** Log-ins at the consent page go on in the session that takes the place of theirs. */
export const moveBegunIn = statement(
  'sessions_move_begun_in',
  `update sessions set begun_in = :new_id
    where customer_id = :customer_id and begun_in = :old_id and ended_at is null`,
)

/** The web push of the browser continues there as well; it would end with the old one. */
export const movePushSubscriptions = statement(
  'sessions_move_push_subscriptions',
  `update push_subscriptions set session_id = :new_id
    where customer_id = :customer_id and session_id = :old_id`,
)

/** Ends the log-in at the consent page of the browser that has the library's session. */
export const endConsentLogIn = statement(
  'sessions_end_consent_log_in',
  `update sessions set ended_at = :ended_at
    where ended_at is null
      and oauth_uid = (select uid from oauth_models
                        where model = 'Session' and id_hash = :id_hash)`,
)

/** Makes open pages of authorizations ask for a log-in again. */
export const logOutInteractions = statement(
  'sessions_log_out_interactions',
  `update oauth_models set payload = payload #- '{lastSubmission,account}'
    where model = 'Interaction' and id_hash = any (:id_hashes::bytea[])`,
)

/** Notes when the password was last entered in it. Returns no row if it ended meanwhile. */
export const recordSignIn = statement(
  'sessions_record_sign_in',
  `update sessions set signed_in_at = :signed_in_at
    where customer_id = :customer_id and id = :id and ended_at is null
   returning id`,
)

/** Whether the customer has, or had, such a session. */
export const anySession = statement(
  'sessions_any',
  'select id, agent from sessions where customer_id = :customer_id and id = :id',
)

/** Whether the account can log in without a mail. */
export const canLogIn = statement(
  'sessions_can_log_in',
  `select exists (select from passwords where customer_id = :customer_id)
       or exists (select from passkeys where customer_id = :customer_id)
       or exists (select from sso_identities where customer_id = :customer_id) as there`,
  { not_null: ['there'] },
)
