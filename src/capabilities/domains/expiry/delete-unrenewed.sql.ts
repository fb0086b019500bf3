// SQL of unrenewed domains that the registry renewed all the same.
import { statement } from '../../../db/statement.ts'
import { dueSchedules, holdingColumnsOf, pageWithOrders } from '../holdings/holdings.sql.ts'

/**
 * Takes up to `limit` holdings of a registry that expired by `expired_by`, oldest first. `is_due`
 * is whether the registry has auto-renewed the holding (or it was not read since) and no order of
 * it is open, or whether its deletion has begun and is not reported yet. Times are on the scale of
 * expiries: a holding that is due, or has an open order, is taken again once `expired_by` reaches
 * `again_at`, and any other once it reaches `later_at`.
 */
export const claimUnrenewed = statement(
  'domains_claim_unrenewed',
  `with page as materialized (
     ${dueSchedules('delete_at', { by: 'expired_by' })}
   ), looked as materialized (
     select d.id, o.has_order, not o.has_order and d.ended_at is null
            and (d.deletion_at is not null
                 or (d.registry_expiry > d.expiry + interval '1 day' or p.synced_at is null
                     or p.synced_at < d.expiry + interval '1 day')
                    and not d.rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}')
            and not exists (
              select from expiry_notices n
               where n.domain_id = d.id and n.kind = 'deleted_unpaid' and n.expiry = d.expiry
              offset 0) as is_due
       from ${pageWithOrders}
   ), moved as (
     update domain_schedules s
        set delete_at = (select case when l.is_due or l.has_order then :again_at::timestamptz
                                     else :later_at::timestamptz end
                           from looked l where l.id = s.domain_id)
      where s.domain_id = any (array(select l.id from looked l)))
   select (select l.is_due from looked l where l.id = d.id) as is_due, ${holdingColumnsOf('d')}
     from domains d where d.id = any (array(select l.id from looked l))
    order by d.expiry`,
  { not_null: ['is_due'] },
)

/**
 * Whether the ledger says that a holding is unrenewed since `expired_by` or longer: its newest term
 * ended by then and is its expiry, no order of it is open, and no captured renewal or
 * restore was made after its terms begin and is missing among them.
 */
export const isUnrenewedByLedger = statement(
  'domains_unrenewed_by_ledger',
  `select exists (
     select from domains d
      cross join lateral (
        select min(t.created_at) as since,
               (array_agg(t.paid_until order by t.id desc))[1] as paid_until
          from domain_terms t where t.domain_id = d.id) t
      where d.id = :id and d.ended_at is null
        and t.paid_until = d.expiry and d.expiry <= :expired_by
        and not exists (
          select from orders o where o.domain = d.name and o.closed_at is null)
        and not exists (
          select from orders o
            join ledger_transfers e on e.operation_id = o.id
             and e.phase in ('post', 'void') and e.phase = 'post'
           where o.customer_id = d.customer_id and o.domain = d.name and o.type = 'renew'
             and o.closed_at > t.since
             and not exists (select from domain_terms a where a.order_id = o.id))) as unrenewed`,
  { not_null: ['unrenewed'] },
)

/**
 * Makes the holding impossible to renew from `deletion_at` (now) on. Returns no row if it is
 * renewed, or about to be. Runs only under the lock of the holding.
 */
export const markDeleting = statement(
  'domains_mark_deleting',
  `update domains d set deletion_at = :deletion_at, updated_at = clock_timestamp()
    where d.id = :id and d.ended_at is null and d.deletion_at is null
      and date_trunc('milliseconds', d.expiry) = :expiry
      and not exists (select from orders o where o.domain = d.name and o.closed_at is null)
   returning ${holdingColumnsOf('d')}`,
)

/**
 * Keeps the holding after all. Its deletion is not tried again before `delete_at`, on the scale of
 * expiries, unless a renewal has put it off until the end of its own term.
 */
export const unmarkDeleting = statement(
  'domains_unmark_deleting',
  `with held as (
     update domains set deletion_at = null, updated_at = clock_timestamp()
      where id = :id and ended_at is null returning id)
   update domain_schedules s set delete_at = greatest(s.delete_at, :delete_at)
    from held h where s.domain_id = h.id`,
)
