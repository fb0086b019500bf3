// SQL of holds on domains that nobody pays for.
import { statement } from '../../../db/statement.ts'
import { holdingColumnsOf } from '../holdings/holdings.sql.ts'

/** Its hold is ours, and is lifted from $2 on if it is paid by then; no row: it is noted. */
export const markClientHold = statement(
  'domains_mark_hold',
  `update domains set lift_hold_at = $2, updated_at = clock_timestamp()
    where id = $1 and ended_at is null and lift_hold_at is null returning id`,
)

/**
 * Up to $3 holdings of the registry $4 on our hold that are paid at $1; they are tried again at $2.
 * What is paid at $1 expires after its hold was to be lifted: the index has no others.
 */
export const claimRenewedHolds = statement(
  'domains_claim_paid_holds',
  `update domains t set lift_hold_at = $2
    where t.id = any (array(
      select d.id from domains d
       where d.registry = $4 and d.ended_at is null and d.lift_hold_at <= $1 and d.expiry > $1
         and d.expiry > d.lift_hold_at and d.deletion_at is null
       order by d.lift_hold_at limit $3 for update of d skip locked))
   returning ${holdingColumnsOf('t')}`,
)

/** No row: somebody has lifted it. */
export const clearClientHold = statement(
  'domains_purge_hold',
  `update domains set lift_hold_at = null, updated_at = clock_timestamp()
    where id = $1 and lift_hold_at is not null returning id`,
)
