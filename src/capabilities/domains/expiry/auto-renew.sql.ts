// SQL of automatic renewals.
import { columns, statement } from '../../../db/statement.ts'
import { holdingColumns } from '../holdings/holdings.sql.ts'
import { auto_renew_days } from './expiry-emails.ts'

// Of `d`, the moment of its next try (UTC): when it is near its expiry, a day after the last try.
// The index domains_auto_renew_due has this expression.
const nextTry = `greatest((d.expiry at time zone 'UTC') - interval '${auto_renew_days * 24} hours',
         coalesce((d.auto_renew_at at time zone 'UTC') + interval '24 hours', '-infinity'))`

/**
 * Takes up to `limit` holdings of a registry that are to renew by themselves and whose next try has
 * come at `now`. Not those that are being renewed or deleted. `currency`:
 * what was last paid in. "offset 0" keeps the look at open orders one by one: as a join it may read
 * them all.
 */
export const claimAutoRenewals = statement(
  'domains_claim_auto_renewals',
  `update domains t set auto_renew_at = :now
    where t.id = any (array(
       select d.id from domains d
        where d.registry = :registry and d.auto_renew and d.ended_at is null
          and ${nextTry} <= (:now::timestamptz at time zone 'UTC')
          and d.deletion_at is null
          and not d.rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}'
          and not exists (
            select from orders o where o.domain = d.name and o.closed_at is null offset 0)
        order by ${nextTry} limit :limit for update of d skip locked))
   returning (select o.currency from orders o
               where o.customer_id = t.customer_id and o.domain = t.name
                 and o.state = 'succeeded'
               order by o.created_at desc limit 1) as currency,
             ${columns(holdingColumns, 't')}`,
)

/** As if the last try had been at `auto_renew_at`, so that the next is sooner than in a day. */
export const putLastTry = statement(
  'domains_put_last_try',
  `update domains set auto_renew_at = :auto_renew_at where id = :id`,
)
