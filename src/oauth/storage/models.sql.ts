// SQL of oidc-provider's models. Expired models are treated as absent.
import { statement } from '../../db/statement.ts'

/**
 * `expires_in_s` are the seconds until the model expires, or null for never. An interaction with a
 * result stays as it is, because a request that read it before must not undo its owner's decision.
 */
export const upsertModel = statement(
  'oauth_models_put',
  `insert into oauth_models
     (model, id_hash, payload, grant_id, uid, client_id, account_id, expires_at)
   values (:model, :id_hash, :payload, :grant_id, :uid, :client_id, :account_id,
     clock_timestamp() + :expires_in_s::double precision * interval '1 second')
   on conflict (model, id_hash) do update
      set payload = excluded.payload, grant_id = excluded.grant_id,
          uid = coalesce(excluded.uid, oauth_models.uid),
          client_id = excluded.client_id, account_id = excluded.account_id,
          expires_at = excluded.expires_at
    where not (oauth_models.model = 'Interaction' and oauth_models.payload ? 'result')`,
  { nullable: ['grant_id', 'uid', 'client_id', 'account_id', 'expires_in_s'] },
)

export const findModel = statement(
  'oauth_models_of_id',
  `select payload, extract(epoch from consumed_at)::bigint as consumed
     from oauth_models
    where model = :model and id_hash = :id_hash
      and (expires_at is null or expires_at > clock_timestamp())`,
)

export const findSessionByUid = statement(
  'oauth_models_session_of_uid',
  `select payload, id_hash from oauth_models
    where uid = :uid and model = 'Session' and expires_at > clock_timestamp()
    order by created_at desc limit 1`,
)

/** Finds a device code, even an expired one, because its user is shown that. */
export const findDeviceCodeByUserCode = statement(
  'oauth_models_of_user_code',
  `select payload, id_hash, extract(epoch from consumed_at)::bigint as consumed
     from oauth_models
    where uid = :uid and model = 'DeviceCode'
    order by created_at desc limit 1`,
)

/**
 * Notes the poll of a device code that its user has not answered. It is too early before its
 * interval has passed, which then grows (RFC 8628 section 3.5). It returns no row for a code that
 * is answered, expired or unknown.
 */
export const notePoll = statement(
  'oauth_models_note_poll',
  `with polled as (
     select id_hash, coalesce((payload ->> 'interval_s')::int, :interval_s) as interval_s,
            coalesce(:now_ms::bigint - (payload ->> 'polled_ms')::bigint + :leeway_ms
              < 1000 * coalesce((payload ->> 'interval_s')::int, :interval_s), false) as early
       from oauth_models
      where model = 'DeviceCode' and id_hash = :id_hash and expires_at > clock_timestamp()
        and consumed_at is null and not payload ?| array['accountId', 'error']
        for update
   )
   update oauth_models m
      set payload = m.payload || jsonb_build_object('polled_ms', :now_ms::bigint,
            'interval_s', p.interval_s + case when p.early then 5 else 0 end)
     from polled p
    where m.model = 'DeviceCode' and m.id_hash = p.id_hash
   returning p.early`,
  { not_null: ['early'] },
)

/**
 * Locks the grant of a model, so that a revocation waits. It locks nothing for a model that has
 * none or is deleted.
 */
export const lockGrantOfModel = statement(
  'oauth_grants_hold_of_model',
  `select id from oauth_grants
    where id = (select grant_id from oauth_models where model = :model and id_hash = :id_hash)
      for share`,
)

/** Consumes a model. It returns no row if the model is consumed already or has expired. */
export const consumeModel = statement(
  'oauth_models_consume',
  `update oauth_models set consumed_at = clock_timestamp()
    where model = :model and id_hash = :id_hash and consumed_at is null
      and expires_at > clock_timestamp()
   returning consumed_at::text as at`,
  { not_null: ['at'] },
)

/** Reads when a model was consumed, and waits for a transaction that consumes it. */
export const lockConsumedAt = statement(
  'oauth_models_consumed_at',
  `select consumed_at::text as at from oauth_models
    where model = :model and id_hash = :id_hash for update`,
)

export const findGrantOfConsumed = statement(
  'oauth_models_grant_of',
  `select grant_id from oauth_models
    where model = :model and id_hash = :id_hash and consumed_at is not null`,
)

/** Deletes a model. An access token is dropped from the caches of all nodes, too. */
export const deleteModel = statement(
  'oauth_models_destroy',
  `with gone as (
     delete from oauth_models where model = :model and id_hash = :id_hash
     returning model, account_id
   )
   select pg_notify('access_revoked', account_id) as notified from gone
    where model = 'AccessToken' and account_id is not null`,
)

/** The trigger of the table revokes everything that was issued under it. */
export const revokeGrantById = statement(
  'oauth_grants_end',
  `update oauth_grants set revoked_at = clock_timestamp(), end_reason = :end_reason
    where id = :id and revoked_at is null`,
  { nullable: ['end_reason'] },
)

/**
 * Deletes the models of a grant that was never stored, because its owner abandoned the
 * authorization.
 */
export const deleteModelsOfGrant = statement(
  'oauth_models_destroy_of_grant',
  'delete from oauth_models where grant_id = :grant_id',
)

/** Deletes expired models, at most `limit` at once, so that no transaction is long. */
export const purgeModels = statement(
  'oauth_models_purge',
  `delete from oauth_models
    where ctid = any (array(
      select ctid from oauth_models where expires_at < statement_timestamp()
       order by expires_at limit :limit for update skip locked))`,
)

/**
 * The access token with this hash, if it is for one of these audiences, neither it nor its grant
 * has ended, and it is not bound to a key.
 */
export const findAccessTokenByHash = statement(
  'oauth_models_access_of_hash',
  `select t.expires_at, t.payload ->> 'scope' as scope, g.id as grant_id, g.customer_id,
          g.client_id, g.client_name, g.scopes, c.status = 'suspended' as suspended,
          limits_of_access(null, g.id) as limits
     from oauth_models t
     join oauth_grants g on g.id = t.grant_id
     join customers c on c.id = g.customer_id
    where t.model = 'AccessToken' and t.id_hash = :id_hash
      and t.expires_at > clock_timestamp()
      and t.payload ->> 'aud' = any (:audiences::text[])
      and t.account_id = g.customer_id and t.client_id = g.client_id
      and not t.payload ?| array['jkt', 'x5t#S256']
      and g.revoked_at is null and c.status <> 'closed'`,
  { not_null: ['suspended', 'expires_at'] },
)

/** Why `findAccessTokenByHash` does not find the access token with this hash. */
export const findAccessTokenRefusal = statement(
  'oauth_models_refusal_of_hash',
  `select t.expires_at <= clock_timestamp() as expired, t.payload ->> 'aud' as audience,
          g.revoked_at is not null as revoked, c.status = 'closed' as closed
     from oauth_models t
     join oauth_grants g on g.id = t.grant_id
     join customers c on c.id = g.customer_id
    where t.model = 'AccessToken' and t.id_hash = :id_hash`,
  { not_null: ['expired', 'revoked', 'closed'] },
)
