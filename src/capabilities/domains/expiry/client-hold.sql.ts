// SQL of clientHold on unrenewed domains.
import { statement } from '../../../db/statement.ts'
import { holdingColumnsOf } from '../holdings/holdings.sql.ts'

/**
 * Notes that the hold is ours since `lift_hold_at`; it is lifted once the domain is paid until
 * after that. Returns no row if this is noted already.
 */
export const markClientHold = statement(
  'domains_mark_hold',
  `update domains set lift_hold_at = :lift_hold_at, updated_at = clock_timestamp()
    where id = :id and ended_at is null and lift_hold_at is null returning id`,
)

/** The holding, if it is on our hold and renewed until after `now`. */
export const renewedOnHold = statement(
  'domains_renewed_on_hold',
  `select ${holdingColumnsOf('d')} from domains d
    where d.id = :id and d.ended_at is null and d.lift_hold_at <= :now and d.expiry > :now
      and d.deletion_at is null`,
)

/** Returns no row if the hold was lifted meanwhile. */
export const clearClientHold = statement(
  'domains_purge_hold',
  `update domains set lift_hold_at = null, updated_at = clock_timestamp()
    where id = :id and lift_hold_at is not null returning id`,
)
