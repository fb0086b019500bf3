// SQL of browser logins at the consent page: sessions of the customer, each with one of the
// library's own.
import { statement } from '../../db/statement.ts'

/** The login of the library's session $1; no row: it ended, or expired. */
export const findBrowserLogin = statement(
  'oauth_browser_login_find',
  `select id, signed_in_at from sessions
    where oauth_uid = $1 and ended_at is null and expires_at > $2
    order by id desc limit 1`,
)

/** Ends the login of the library's session $1, and with it that session. */
export const endBrowserLogin = statement(
  'oauth_browser_login_end',
  'update sessions set ended_at = $2 where oauth_uid = $1 and ended_at is null',
)

/**
 * Whether the browser with the library's session $2 may resume the authorization of grant $1: once.
 */
export const resumeGrant = statement('oauth_grants_resume', 'select oauth_go_on($1, $2) as may', {
  not_null: ['may'],
  writes: true,
})

/** Whether a client has an earlier grant of the account that is still active. */
export const isConnected = statement(
  'oauth_grants_is_connected',
  `select exists (select from oauth_grants
                   where customer_id = $1 and client_id = $2 and revoked_at is null
                     and went_on_at is not null) as connected`,
  { not_null: ['connected'] },
)
