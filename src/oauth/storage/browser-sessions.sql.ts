// SQL of the log-ins of browsers at the consent page: sessions that the library has one of its own
// for.
import { statement } from '../../db/statement.ts'

/** The log-in of the library's session $1; no row: it ended, or is over. */
export const findBrowserLogin = statement(
  'oauth_log_in_of_browser',
  `select id, signed_in_at from sessions
    where oauth_uid = $1 and ended_at is null and expires_at > $2
    order by id desc limit 1`,
)

/** Ends the log-in of the library's session $1, and with it that session. */
export const endBrowserLogin = statement(
  'oauth_log_in_end',
  'update sessions set ended_at = $2 where oauth_uid = $1 and ended_at is null',
)

/** Whether the browser with the library's session $2 may go on with the consent $1: once. */
export const resumeGrant = statement('oauth_grants_go_on', 'select oauth_go_on($1, $2) as may', {
  not_null: ['may'],
  writes: true,
})

/** Whether a program has a consent of the account, given before, that it still has. */
export const isConnected = statement(
  'oauth_grants_is_known',
  `select exists (select from oauth_grants
                   where customer_id = $1 and client_id = $2 and revoked_at is null
                     and went_on_at is not null) as known`,
  { not_null: ['known'] },
)
