// SQL of grants, which are the consents that owners give, list and revoke.
import { type Row, statement } from '../../db/statement.ts'

const columns = `id, client_id, client_name, redirect_host, scopes, resource, created_at,
  last_used_at, revoked_at`

/** Inserts a grant. It returns no row if the interaction has a grant already. */
export const insertGrant = statement(
  'oauth_grants_insert',
  `insert into oauth_grants
     (id, customer_id, client_id, client_name, redirect_host, scopes, resource, created_at,
      interaction_hash)
   values (:id, :customer_id, :client_id, :client_name, :redirect_host, :scopes, :resource,
           :created_at, :interaction_hash)
   on conflict (interaction_hash) do nothing
   returning id`,
)

export const findGrantOfInteraction = statement(
  'oauth_grants_of_interaction',
  'select id, customer_id, scopes from oauth_grants where interaction_hash = :interaction_hash',
)

export const setGrantSession = statement(
  'oauth_grants_set_session',
  'update oauth_grants set session_id = :session_id where id = :id',
)

/**
 * When the password was set. A change of it waits until this transaction has ended, and then
 * revokes what it stored. Another consent of the account waits, too.
 */
export const lockPassword = statement(
  'oauth_lock_password',
  'select changed_at from passwords where customer_id = :customer_id for no key update',
)

/** Whether a grant can still be used, by a code, a token or an API key. */
const isUsable = (grant: string) => `(${grant}.revoked_at is null and (
    exists (select from oauth_models m
             where m.grant_id = ${grant}.id and m.expires_at > clock_timestamp()
               and (m.model = 'AccessToken'
                    or m.model in ('AuthorizationCode', 'DeviceCode', 'RefreshToken')
                      and m.consumed_at is null))
    or exists (select from api_keys k
                where k.oauth_grant_id = ${grant}.id and k.revoked_at is null
                  and (k.expires_at is null or k.expires_at > clock_timestamp()))))`

/**
 * The apps with a grant that can be used, as one row for each: its newest grant with the scopes of
 * all. The newest come first, after the grant with id `after`. It reads the grants of a page and
 * those of its apps.
 */
export const listConnectedApps = statement(
  'oauth_grants_of_customer',
  `select n.id, n.client_id, n.client_name, n.redirect_host, a.scopes, n.resource, n.created_at,
          a.last_used_at, n.revoked_at
     from (
       select g.* from oauth_grants g
        where g.customer_id = :customer_id and ${isUsable('g')}
          and (:after::text is null or (g.created_at, g.id) <
                (select c.created_at, c.id from oauth_grants c
                  where c.customer_id = :customer_id and c.id = :after))
          and not exists (
            select from oauth_grants newer
             where newer.customer_id = :customer_id and newer.client_id = g.client_id
               and (newer.created_at, newer.id) > (g.created_at, g.id) and ${isUsable('newer')})
        order by g.created_at desc, g.id desc limit :limit::int) n
    cross join lateral (
      select n.scopes || coalesce(
               array_agg(distinct s order by s) filter (where s <> all (n.scopes)), '{}') as scopes,
             max(u.last_used_at) as last_used_at
        from oauth_grants u cross join lateral unnest(u.scopes) s
       where u.customer_id = :customer_id and u.client_id = n.client_id and ${isUsable('u')}) a
    order by n.created_at desc, n.id desc`,
  { nullable: ['after'], not_null: ['scopes'] },
)
export type GrantRow = Row<'oauth_grants_of_customer'>

export const findGrant = statement(
  'oauth_grants_of_id',
  `select ${columns} from oauth_grants where customer_id = :customer_id and id = :id`,
)

/**
 * Revokes a grant and all others of its client, which are one app. The trigger of the table revokes
 * everything that was issued under them, and notifies all nodes.
 */
export const disconnectApp = statement(
  'oauth_grants_revoke',
  `update oauth_grants set revoked_at = :revoked_at, end_reason = 'disconnected'
    where customer_id = :customer_id and revoked_at is null
      and client_id = (select client_id from oauth_grants
                        where customer_id = :customer_id and id = :id and revoked_at is null)`,
)

/**
 * Takes scopes from all other active grants of a client, whose owner decides again. It waits for
 * redemptions that hold a grant.
 */
export const withdrawFromGrants = statement(
  'oauth_grants_withdraw',
  `update oauth_grants set scopes = scopes_without(scopes, :scopes)
    where customer_id = :customer_id and client_id = :client_id and id <> :except_id
      and revoked_at is null and scopes && :scopes
   returning id, scopes`,
)

/**
 * Takes them from the codes and tokens that were issued under these grants. It is a separate
 * statement, because tokens may have been issued while the one above waited.
 */
export const withdrawFromModels = statement(
  'oauth_models_withdraw',
  `update oauth_models m
      set payload = m.payload
        || case when m.payload ? 'scope' then jsonb_build_object('scope', array_to_string(
             scopes_without(string_to_array(m.payload ->> 'scope', ' '), :scopes), ' '))
           else '{}' end
        || case when m.model = 'Grant' then jsonb_build_object(
             'openid', jsonb_build_object('scope', array_to_string(
               scopes_without(string_to_array(m.payload #>> '{openid,scope}', ' '), :scopes),
               ' ')),
             'resources', (select jsonb_object_agg(r.key, array_to_string(
               scopes_without(string_to_array(r.value, ' '), :scopes), ' '))
               from jsonb_each_text(m.payload -> 'resources') r))
           else '{}' end
    where m.grant_id = any (:grant_ids)`,
)

/** Takes them from the API keys that the client made, and from those that these made. */
export const withdrawFromKeys = statement(
  'api_keys_withdraw',
  `update api_keys set scopes = scopes_without(scopes, :scopes)
    where customer_id = :customer_id and oauth_grant_id = any (:grant_ids) and scopes && :scopes`,
)

/** Revokes grants that allow nothing any more. The browser that gave them stays logged in. */
export const revokeEmptyGrants = statement(
  'oauth_grants_revoke_empty',
  `update oauth_grants set revoked_at = :now, end_reason = 'narrowed', session_id = null
    where id = any (:grant_ids) and revoked_at is null
      and not scopes && :service_scopes`,
)

/**
 * Deletes up to `limit` grants that ended so many days ago or earlier, except those that an API key
 * or an order refers to, by which budgets in total find what was spent (decision 65). A client
 * without any other grant is unused again, and found as such by `registered_by`.
 */
export const purgeGrants = statement(
  'oauth_grants_purge',
  `with ended as materialized (
     select g.id,
            exists (select from api_keys k where k.oauth_grant_id = g.id offset 0)
              or exists (select from orders o where o.oauth_grant_id = g.id offset 0) as is_needed
       from oauth_grants g
      where g.revoked_at < statement_timestamp() - :days::int * interval '1 day' and not g.kept
      order by g.revoked_at limit :limit::int for update of g skip locked
   ), needed as (
     update oauth_grants set kept = true
      where id = any (array(select id from ended where is_needed))
   ), gone as (
     delete from oauth_grants
      where id = any (array(select id from ended where not is_needed))
     returning id, client_id
   ), unused as (
     update oauth_models c set registered_by = 'unknown'
      where c.model = 'Client' and c.registered_by is null
        and c.client_id = any (array(select client_id from gone))
        and not exists (
          select from oauth_grants g
           where g.client_id = c.client_id and g.id <> all (array(select id from gone)))
   )
   select count(*)::int as looked_at from ended`,
  { not_null: ['looked_at'], writes: true },
)

/**
 * Revokes up to `limit` grants that are ten minutes old and cannot be used: the code was not
 * redeemed, or all tokens and API keys have ended. Grants used just now are left, because a token
 * may be about to be issued. The browser that gave the consent stays logged in.
 */
export const endUnusedGrantsBatch = statement(
  'oauth_grants_end_unused',
  `update oauth_grants set revoked_at = statement_timestamp(), end_reason = 'unused',
          session_id = null
    where id in (
      select g.id from oauth_grants g
       where g.revoked_at is null and g.created_at < clock_timestamp() - interval '10 minutes'
         and not exists (
           select from oauth_models m
            where m.grant_id = g.id
              and m.model in ('AccessToken', 'AuthorizationCode', 'DeviceCode', 'RefreshToken')
              and (m.consumed_at > clock_timestamp() - interval '10 minutes'
                   or m.expires_at > clock_timestamp()
                      and (m.model = 'AccessToken' or m.consumed_at is null)))
         and not exists (
           select from api_keys k
            where k.oauth_grant_id = g.id and k.revoked_at is null
              and (k.expires_at is null or k.expires_at > clock_timestamp()))
       order by g.created_at limit :limit::int for update of g skip locked)`,
)

/**
 * The account of a subject and its claims (OpenID Connect Core 1.0 section 5.4), if the account is
 * open.
 */
export const claimsOfAccount = statement(
  'oauth_account_claims',
  `select id as sub, name, email, email_verified from customers
    where id = :id and status <> 'closed'`,
)
