// SQL of authorization information at registries, whose values are sealed, with a hash and times.
import { statement } from '../../../../db/statement.ts'
import { holdingColumns } from '../../holdings/holdings.sql.ts'

export const authCodeOf = statement(
  'domains_auth_code_of',
  `select auth_code_hash as hash, auth_code_sealed as sealed, auth_code_sent_sealed as sent_sealed,
          auth_code_expires_at as expires_at
     from domains where id = :id and customer_id = :customer_id and ended_at is null`,
)

/**
 * Notes the code that is about to be sent, which is to be removed from `auth_code_unset_at` on.
 */
export const planAuthCode = statement(
  'domains_plan_auth_code',
  `update domains
      set auth_code_sent_sealed = :auth_code_sent_sealed, auth_code_unset_at = :auth_code_unset_at,
          updated_at = clock_timestamp()
    where id = :id and customer_id = :customer_id and ended_at is null returning id`,
)

/**
 * Notes that the sent code is finally not set, so that the previous one stays for its time.
 * `auth_code_sent_sealed` is one that was sent earlier and never confirmed.
 */
export const dropSentAuthCode = statement(
  'domains_drop_sent_auth_code',
  `update domains set auth_code_sent_sealed = :auth_code_sent_sealed,
          auth_code_unset_at = case when :auth_code_sent_sealed::text is null
                                    then auth_code_expires_at else auth_code_unset_at end,
          updated_at = clock_timestamp()
    where id = :id and customer_id = :customer_id and ended_at is null returning id`,
  { nullable: ['auth_code_sent_sealed'] },
)

/** Stores the registry's current code as SHA-256 and in encrypted form. */
export const keepAuthCode = statement(
  'domains_keep_auth_code',
  `update domains
      set auth_code_hash = :auth_code_hash, auth_code_expires_at = :auth_code_expires_at,
          auth_code_unset_at = :auth_code_expires_at,
          auth_code_sealed = :auth_code_sealed, auth_code_sent_sealed = null,
          updated_at = clock_timestamp()
    where id = :id and customer_id = :customer_id and ended_at is null returning id`,
)

/** The holding, if the time of its code has ended at `now`. */
export const expiredCode = statement(
  'domains_expired_code',
  `select ${holdingColumns}, auth_code_unset_at as unset_at
     from domains where id = :id and auth_code_unset_at <= :now and ended_at is null`,
  { not_null: ['unset_at'] },
)

/** Whether no other code was set, with another time to unset it. */
export const isStillExpired = statement(
  'domains_code_still_expired',
  `select id from domains
    where id = :id and auth_code_unset_at = :auth_code_unset_at and ended_at is null`,
)

/** Notes that the registry no longer has the code that was to be unset at this time. */
export const purgeAuthCode = statement(
  'domains_purge_auth_code',
  `update domains
      set auth_code_hash = null, auth_code_expires_at = null, auth_code_unset_at = null,
          auth_code_sealed = null, auth_code_sent_sealed = null, updated_at = clock_timestamp()
    where id = :id and auth_code_unset_at = :auth_code_unset_at and ended_at is null`,
)
