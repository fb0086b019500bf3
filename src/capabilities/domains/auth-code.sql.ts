// SQL of authorization information that we set at registries: never the value, only its hash and
// its times.
import { statement } from '../../db/statement.ts'
import { holdingColumns } from './store.ts'

/** From $3 on, the registry is to forget what is about to be set. */
export const planUnset = statement(
  'domains_plan_unset',
  `update domains set auth_code_unset_at = $3, updated_at = clock_timestamp()
    where id = $1 and customer_id = $2 and ended_at is null returning id`,
)

/** SHA-256 of what the registry has now, until $4. */
export const keepAuthCode = statement(
  'domains_keep_auth_code',
  `update domains set auth_code_hash = $3, auth_code_expires_at = $4, auth_code_unset_at = $4,
          updated_at = clock_timestamp()
    where id = $1 and customer_id = $2 and ended_at is null returning id`,
)

/**
 * Takes up to $3 holdings whose code has had its time at $1: they are due again at $2, if whoever
 * took them does not succeed.
 */
export const claimExpiredCodes = statement(
  'domains_claim_expired_codes',
  `update domains set auth_code_unset_at = $2
    where id in (
      select id from domains
       where auth_code_unset_at <= $1 and ended_at is null
       order by auth_code_unset_at limit $3 for update skip locked)
   returning ${holdingColumns}`,
)

/** Whether nobody has set another code since it was claimed until $2. */
export const isStillClaimed = statement(
  'domains_code_still_claimed',
  `select id from domains where id = $1 and auth_code_unset_at = $2 and ended_at is null`,
)

/** The registry has forgotten the code that was claimed until $2. */
export const forgetAuthCode = statement(
  'domains_forget_auth_code',
  `update domains
      set auth_code_hash = null, auth_code_expires_at = null, auth_code_unset_at = null,
          updated_at = clock_timestamp()
    where id = $1 and auth_code_unset_at = $2 and ended_at is null`,
)
