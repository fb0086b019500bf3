// SQL of the consents that owners give, see and end.
import { type Row, statement } from '../db/statement.ts'

const columns = `id, client_id, client_name, redirect_host, scopes, resource, created_at,
  last_used_at, revoked_at`

export const insertGrant = statement(
  'oauth_grants_insert',
  `insert into oauth_grants
     (id, customer_id, client_id, client_name, redirect_host, scopes, resource, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

/**
 * When the password was set; a change of it waits until this transaction has ended, and then ends
 * what it stored.
 */
export const holdPassword = statement(
  'oauth_hold_password',
  'select changed_at from passwords where customer_id = $1 for share',
)

/**
 * Those that can still act: by a code, a token or a key. Newest first, after the one with id $2.
 */
export const grantsOfCustomer = statement(
  'oauth_grants_of_customer',
  `select ${columns} from oauth_grants g
    where customer_id = $1 and revoked_at is null
      and (exists (select from oauth_models m
                    where m.grant_id = g.id and m.expires_at > clock_timestamp()
                      and (m.model = 'AccessToken'
                           or m.model in ('AuthorizationCode', 'RefreshToken')
                              and m.consumed_at is null))
           or exists (select from api_keys k
                       where k.oauth_grant_id = g.id and k.revoked_at is null
                         and (k.expires_at is null or k.expires_at > clock_timestamp())))
      and ($2::text is null or (created_at, id) <
           (select c.created_at, c.id from oauth_grants c where c.customer_id = $1 and c.id = $2))
    order by created_at desc, id desc limit $3::int`,
  { nullable: [2] },
)
export type GrantRow = Row<'oauth_grants_of_customer'>

export const grantOfId = statement(
  'oauth_grants_of_id',
  `select ${columns} from oauth_grants where customer_id = $1 and id = $2`,
)

/** The trigger of its table ends all that came of it, and tells all nodes. */
export const revokeGrant = statement(
  'oauth_grants_revoke',
  `update oauth_grants set revoked_at = $3
    where customer_id = $1 and id = $2 and revoked_at is null`,
)
