// SQL of automatic renewals.
import { statement } from '../../../db/statement.ts'
import { dueSchedules, holdingColumnsOf, pageWithOrders } from '../holdings/holdings.sql.ts'

/**
 * 14 days, in hours, so that a change to daylight saving time cannot make it another number.
 * domains_schedule_changed (src/db/functions/domains.sql) has the same one.
 */
const ahead = `interval '336 hours'`

/**
 * Takes up to `limit` holdings of a registry whose automatic renewal is to be tried at `now`.
 * `is_due` is whether its automatic renewal is still on, the paid term ends within 14 days, it is
 * not being deleted, and no order of it is open (`has_order`). The next try of a holding that is
 * due or has an order is at `soon_at`, unless its outcome says otherwise; that of others is at
 * `later_at`. `currency` is the one of the last payment.
 */
export const claimAutoRenewals = statement(
  'domains_claim_auto_renewals',
  `with page as materialized (
     ${dueSchedules('auto_renew_at', { by: 'now' })}
   ), looked as materialized (
     select d.id, o.has_order, d.expiry - ${ahead} as first_at,
            d.auto_renew and d.ended_at is null and d.deletion_at is null and not o.has_order
            and d.expiry - ${ahead} <= :now
            and not d.rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}' as is_due
       from ${pageWithOrders}
   ), moved as (
     update domain_schedules s
        set auto_renew_at = (
              select case when l.is_due or l.has_order then :soon_at::timestamptz
                          else greatest(:later_at, l.first_at) end
                from looked l where l.id = s.domain_id)
      where s.domain_id = any (array(select l.id from looked l)))
   select (select l.is_due from looked l where l.id = d.id) as is_due,
          (select l.has_order from looked l where l.id = d.id) as has_order,
          (select o.currency from orders o
            where o.customer_id = d.customer_id and o.domain = d.name
              and o.state = 'succeeded'
            order by o.created_at desc limit 1) as currency,
          ${holdingColumnsOf('d')}
     from domains d where d.id = any (array(select l.id from looked l))`,
  { not_null: ['is_due', 'has_order'] },
)

/**
 * Drops the next try of holdings whose automatic renewal is off, so that it is tried at once after
 * it is turned on. Runs under the lock of the holding, as it may be turned on at this moment.
 */
export const dropNextTries = statement(
  'domains_drop_next_tries',
  `with held as (
     select id from domains where id = any (:ids::bigint[]) and not auto_renew
      order by id for no key update)
   update domain_schedules set auto_renew_at = null where domain_id in (select id from held)`,
)

/**
 * Puts the next try off until `next_at`, if there still is one. A renewal meanwhile has put it off
 * until the next year, and is not undone.
 */
export const putOffNextTry = statement(
  'domains_put_off_next_try',
  `update domain_schedules set auto_renew_at = greatest(auto_renew_at, :next_at)
    where domain_id = :id and auto_renew_at is not null`,
)

/** The key or the consent that turned automatic renewal on, both null if the owner did. */
export const autoRenewBy = statement(
  'domains_auto_renew_by',
  `select auto_renew_key_id as api_key_id, auto_renew_grant_id as oauth_grant_id
     from domains where id = :id`,
)
