// SQL of automatic renewals.
import { statement } from '../../db/statement.ts'
import { holdingColumns } from './store.ts'

/**
 * Takes up to $4 holdings that are to renew by themselves and expire until $2, if their last try is
 * not after $3; it is $1 now. Not those that somebody renews just now, or that are being deleted.
 * `currency`: what was last paid in.
 */
export const claimAutoRenewals = statement(
  'domains_claim_auto_renewals',
  `update domains t set auto_renew_at = $1
     from (
       select d.id, (select o.currency from orders o
                      where o.customer_id = d.customer_id and o.domain = d.name
                        and o.state = 'succeeded'
                      order by o.created_at desc limit 1) as currency
         from domains d
        where d.auto_renew and d.ended_at is null and d.expiry <= $2
          and (d.auto_renew_at is null or d.auto_renew_at <= $3)
          and d.deletion_at is null
          and not d.rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}'
          and not exists (
            select from orders o where o.domain = d.name and o.closed_at is null)
        order by d.expiry limit $4 for update of d skip locked) due
    where t.id = due.id
   returning due.currency, ${holdingColumns.replaceAll(/\w+/g, 't.$&')}`,
)

/** As if the last try had been at $2, so that the next is sooner than in a day. */
export const putLastTry = statement(
  'domains_put_last_try',
  `update domains set auto_renew_at = $2 where id = $1`,
)
