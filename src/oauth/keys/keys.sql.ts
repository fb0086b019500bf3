// SQL of the authorization server's signing keys.
import { statement } from '../../db/statement.ts'

/**
 * The published keys, beginning with those that sign already, the newest first. `changes_in_ms` is
 * the time until the list changes, unless keys are rotated before.
 */
export const publishedKeys = statement(
  'oauth_signing_keys_published',
  `select kid, purpose, alg, sealed, signs_from <= clock_timestamp() as signs,
          (extract(epoch from least(ends_at,
             case when signs_from > clock_timestamp() then signs_from end)
             - clock_timestamp()) * 1000)::double precision as changes_in_ms
     from oauth_signing_keys
    where ends_at is null or ends_at > clock_timestamp()
    order by signs desc, signs_from desc`,
  { not_null: ['signs'] },
)

/** Serializes the creation of keys until the transaction ends. */
export const lockKeys = statement(
  'oauth_signing_keys_lock',
  `select pg_advisory_xact_lock(hashtextextended('oauth_signing_keys', 0)) as locked`,
)

/**
 * The older ones of the algorithm end `stays_s` after the new one begins to sign, in `signs_in_s`.
 */
export const retireKeys = statement(
  'oauth_signing_keys_retire',
  `update oauth_signing_keys
      set ends_at = clock_timestamp()
        + (:signs_in_s::double precision + :stays_s::double precision) * interval '1 second'
    where alg = :alg
      and (ends_at is null or ends_at > clock_timestamp()
        + (:signs_in_s::double precision + :stays_s::double precision) * interval '1 second')`,
)

/** Inserts a key that signs in `signs_in_s`. All nodes are notified, once for each transaction. */
export const insertKey = statement(
  'oauth_signing_keys_insert',
  `with made as (
     insert into oauth_signing_keys (kid, purpose, alg, sealed, signs_from)
     values (:kid, :purpose, :alg, :sealed,
             clock_timestamp() + :signs_in_s::double precision * interval '1 second')
     returning kid
   )
   select pg_notify('oauth_keys', '') as notified from made`,
)

export const purgeKeys = statement(
  'oauth_signing_keys_purge',
  `delete from oauth_signing_keys where ends_at < clock_timestamp() - interval '1 day'`,
)
