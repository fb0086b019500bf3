// SQL of API keys and operator keys.
import { type Row, statement } from '../../db/statement.ts'

const columns = `id, customer_id, parent_key_id, ancestors, key_prefix, name, scopes,
  oauth_grant_id, expires_at, revoked_at, last_used_at, created_at,
  coalesce(made_by, case when parent_key_id is not null then 'api_key'
                         when oauth_grant_id is not null then 'app' end) as made_by`

export const insertKey = statement(
  'api_keys_insert',
  `insert into api_keys (customer_id, parent_key_id, ancestors, key_hash, key_prefix, name, scopes,
     expires_at, oauth_grant_id, for_mcp, made_by, created_at)
   values (:customer_id, :parent_key_id,
           coalesce((select p.ancestors || p.id from api_keys p where p.id = :parent_key_id), '{}'),
           :key_hash, :key_prefix, :name, :scopes, :expires_at, :oauth_grant_id, :for_mcp,
           :made_by, :created_at)
   returning ${columns}`,
  { nullable: ['parent_key_id', 'name', 'expires_at', 'oauth_grant_id'] },
)
export type KeyRow = Row<'api_keys_insert'>

/** Newest first. */
export const keysOfCustomer = statement(
  'api_keys_of_customer',
  `select ${columns} from api_keys
    where customer_id = :customer_id and id < :before
    order by id desc limit :limit::int`,
)

/** How many keys are neither revoked nor expired, counted up to a number. */
export const countActiveKeys = statement(
  'api_keys_count_active',
  `select count(*) as active
     from (select from api_keys
            where customer_id = :customer_id and revoked_at is null
              and (expires_at is null or expires_at > :now)
            limit :limit::int) k`,
  { not_null: ['active'] },
)

/** The key of the dashboard's instructions for MCP clients, if it is active. */
export const keyForMcp = statement(
  'api_keys_for_mcp',
  `select ${columns} from api_keys
    where customer_id = :customer_id and for_mcp and revoked_at is null`,
)

export const keyOfId = statement(
  'api_keys_of_id',
  `select ${columns} from api_keys where customer_id = :customer_id and id = :id`,
)

/**
 * When a consent expires, or no row if it has ended. Locks it, so that it cannot be revoked before
 * this transaction commits: the revocation then finds every key made from it.
 */
export const holdConsent = statement(
  'api_keys_hold_consent',
  `select (select max(m.expires_at) from oauth_models m
            where m.grant_id = g.id and m.model = 'Grant') as ends_at, g.scopes
     from oauth_grants g
    where g.customer_id = :customer_id and g.id = :grant_id and g.revoked_at is null
      for share of g`,
)

/** The key and all its descendants. */
export const revokeFamily = statement(
  'api_keys_revoke_family',
  `with recursive family as (
     select id from api_keys where customer_id = :customer_id and id = :id
     union all
     select k.id from api_keys k join family f on k.parent_key_id = f.id
   )
   update api_keys set revoked_at = :revoked_at
    where customer_id = :customer_id and id in (select id from family) and revoked_at is null`,
)

export const revokeAllOfCustomer = statement(
  'api_keys_revoke_all_of_customer',
  `update api_keys set revoked_at = :revoked_at
    where customer_id = :customer_id and revoked_at is null`,
)

/** `name` null leaves it. */
export const replaceSecret = statement(
  'api_keys_replace_secret',
  `update api_keys
      set key_hash = :key_hash, key_prefix = :key_prefix, name = coalesce(:name, name),
          scopes = :scopes
    where customer_id = :customer_id and id = :id and revoked_at is null
   returning ${columns}`,
  { nullable: ['name'] },
)

export const updateKey = statement(
  'api_keys_update',
  `update api_keys set name = :name, expires_at = :expires_at
    where customer_id = :customer_id and id = :id and revoked_at is null
   returning ${columns}`,
  { nullable: ['name', 'expires_at'] },
)

/** No key outlives one that it was made with. */
export const shortenDescendants = statement(
  'api_keys_shorten_descendants',
  `update api_keys set expires_at = :expires_at
    where customer_id = :customer_id and :id::bigint = any (ancestors) and revoked_at is null
      and (expires_at is null or expires_at > :expires_at)`,
)

/**
 * Removes from a key's descendants the scopes that it no longer holds: none is ever wider than its
 * parent.
 */
export const narrowDescendants = statement(
  'api_keys_narrow_descendants',
  `with recursive family as (
     select id from api_keys where customer_id = :customer_id and parent_key_id = :parent_key_id
     union all
     select k.id from api_keys k join family f on k.parent_key_id = f.id
   )
   update api_keys
      set scopes = scopes_within(scopes, :scopes)
    where customer_id = :customer_id and id in (select id from family)
      and scopes <> scopes_within(scopes, :scopes)`,
)

export const keyOfHash = statement(
  'api_keys_of_hash',
  `select k.id, k.customer_id, k.name, k.scopes, k.expires_at, c.status = 'suspended' as suspended,
          limits_of_access(k.id, null) as limits
     from api_keys k join customers c on c.id = k.customer_id
    where k.key_hash = :key_hash and k.revoked_at is null and c.status <> 'closed'`,
  { not_null: ['suspended'] },
)

/** Why `keyOfHash` or the clock refuses the key with this hash. */
export const refusalOfHash = statement(
  'api_keys_refusal_of_hash',
  `select k.revoked_at, k.expires_at, c.status = 'closed' as closed
     from api_keys k join customers c on c.id = k.customer_id
    where k.key_hash = :key_hash`,
  { not_null: ['closed'] },
)

/** All nodes purge their authentication cache (channel access_revoked). */
export const notifyRevoked = statement(
  'api_keys_notify_revoked',
  `select pg_notify('access_revoked', :subject) as notified`,
)
