// SQL of authorization information at registries: values only sealed, with a hash and their times.
import { statement } from '../../../../db/statement.ts'
import { holdingColumns } from '../../holdings/holdings.sql.ts'

export const authCodeOf = statement(
  'domains_auth_code_of',
  `select auth_code_hash as hash, auth_code_sealed as sealed, auth_code_sent_sealed as sent_sealed,
          auth_code_expires_at as expires_at
     from domains where id = $1 and customer_id = $2 and ended_at is null`,
)

/** $4, sealed, is about to be sent; from $3 on, it is to be removed there. */
export const planAuthCode = statement(
  'domains_plan_auth_code',
  `update domains set auth_code_sent_sealed = $4, auth_code_unset_at = $3,
          updated_at = clock_timestamp()
    where id = $1 and customer_id = $2 and ended_at is null returning id`,
)

/**
 * What was sent is not there, finally: what was before stays for its time. $3: one that was sent
 * earlier and never confirmed.
 */
export const dropSentAuthCode = statement(
  'domains_drop_sent_auth_code',
  `update domains set auth_code_sent_sealed = $3,
          auth_code_unset_at = case when $3::text is null then auth_code_expires_at
                                    else auth_code_unset_at end,
          updated_at = clock_timestamp()
    where id = $1 and customer_id = $2 and ended_at is null returning id`,
  { nullable: [3] },
)

/** SHA-256 of what the registry has now, until $4, and $5, the same sealed. */
export const keepAuthCode = statement(
  'domains_keep_auth_code',
  `update domains set auth_code_hash = $3, auth_code_expires_at = $4, auth_code_unset_at = $4,
          auth_code_sealed = $5, auth_code_sent_sealed = null, updated_at = clock_timestamp()
    where id = $1 and customer_id = $2 and ended_at is null returning id`,
)

/** The holding $1, if the time of its code has ended at $2. */
export const expiredCode = statement(
  'domains_expired_code',
  `select ${holdingColumns}, auth_code_unset_at as unset_at
     from domains where id = $1 and auth_code_unset_at <= $2 and ended_at is null`,
  { not_null: ['unset_at'] },
)

/** Whether no other code was set since it was to be unset at $2. */
export const isStillExpired = statement(
  'domains_code_still_expired',
  `select id from domains where id = $1 and auth_code_unset_at = $2 and ended_at is null`,
)

/** The registry no longer has the code that was to be unset at $2. */
export const purgeAuthCode = statement(
  'domains_purge_auth_code',
  `update domains
      set auth_code_hash = null, auth_code_expires_at = null, auth_code_unset_at = null,
          auth_code_sealed = null, auth_code_sent_sealed = null, updated_at = clock_timestamp()
    where id = $1 and auth_code_unset_at = $2 and ended_at is null`,
)
