// SQL of browser logins at the consent page, which are sessions of the customer, each with one of
// the library's own.
import { statement } from '../../db/statement.ts'

/** The login of one of the library's sessions, or no row if it ended or expired. */
export const findBrowserLogin = statement(
  'oauth_browser_login_find',
  `select id, signed_in_at from sessions
    where oauth_uid = :oauth_uid and ended_at is null and expires_at > :now
    order by id desc limit 1`,
)

/** Ends the login of one of the library's sessions, and with it that session. */
export const endBrowserLogin = statement(
  'oauth_browser_login_end',
  'update sessions set ended_at = :ended_at where oauth_uid = :oauth_uid and ended_at is null',
)

/**
 * Whether the browser with the library's session `oauth_uid` may resume the authorization of a
 * grant. It may do so once.
 */
export const resumeGrant = statement(
  'oauth_grants_resume',
  'select oauth_resume_grant(:id, :oauth_uid) as may',
  {
    not_null: ['may'],
    writes: true,
  },
)

/** Whether a client has an earlier grant of the account that is still active. */
export const isConnected = statement(
  'oauth_grants_is_connected',
  `select exists (select from oauth_grants
                   where customer_id = :customer_id and client_id = :client_id
                     and revoked_at is null
                     and resumed_at is not null) as connected`,
  { not_null: ['connected'] },
)

/** The scopes of a client's active grants, or no row if it is not connected. */
export const scopesOfApp = statement(
  'oauth_grants_scopes_of_app',
  `select array_agg(distinct s) as scopes
     from oauth_grants g, unnest(g.scopes) s
    where customer_id = :customer_id and client_id = :client_id
      and revoked_at is null and resumed_at is not null
   having count(*) > 0`,
  { not_null: ['scopes'] },
)

/**
 * Whether a proof of an account holds: its session of the dashboard (null stands for none) has
 * neither ended nor expired, and the password is the one of `password_of`.
 */
export const isProofAlive = statement(
  'oauth_proof_is_alive',
  `select (:begun_in::bigint is null
           or exists (select from sessions
                       where id = :begun_in and customer_id = :customer_id and ended_at is null
                         and expires_at > :now))
      and not exists (select from passwords
                       where customer_id = :customer_id
                         and date_trunc('milliseconds', changed_at) > :password_of) as alive`,
  { not_null: ['alive'], nullable: ['begun_in'] },
)

/** A log-out waits until this transaction has ended, and then ends what it stored. */
export const lockSession = statement(
  'oauth_lock_session',
  'select id from sessions where id = :id and ended_at is null for share',
)

/** The closing of the account waits in the same way. */
export const lockOpenAccount = statement(
  'oauth_lock_open_account',
  `select id from customers where id = :id and status <> 'closed' for key share`,
)

/** How the owner of an account can prove that it is theirs. */
export const waysToLogIn = statement(
  'oauth_ways_to_log_in',
  `select exists (select from passwords where customer_id = :customer_id) as has_password,
          array(select distinct provider from sso_identities
                 where customer_id = :customer_id) as providers`,
  { not_null: ['has_password', 'providers'] },
)

export const ownerOfPasskey = statement(
  'oauth_owner_of_passkey',
  'select customer_id from passkeys where credential_id = :credential_id',
)
