// SQL of unrenewed domains that the registry renewed all the same.
import { columns, statement } from '../../../db/statement.ts'
import { holdingColumns } from '../holdings/holdings.sql.ts'

/**
 * Takes up to `limit` holdings of a registry to be deleted at `now`, and keeps others from them
 * until `unpaid_try_at`: those that expired by `expired_by`, that the registry has renewed by
 * itself (or that were not read since), and without an open order; and those whose deletion has
 * begun and is not reported yet.
 */
export const claimUnrenewed = statement(
  'domains_claim_unrenewed',
  `update domains t set unpaid_try_at = :unpaid_try_at
    where t.id = any (array(
      select d.id from domains d
       where d.ended_at is null and (d.unpaid_try_at is null or d.unpaid_try_at <= :now)
         and d.registry = :registry
         and (d.deletion_at is not null
              or d.expiry <= :expired_by
                 and (d.registry_expiry > d.expiry + interval '1 day' or d.synced_at is null
                      or d.synced_at < d.expiry + interval '1 day')
                 and not d.rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}')
         and not exists (
           select from orders o where o.domain = d.name and o.closed_at is null offset 0)
         and not exists (
           select from expiry_notices n
            where n.domain_id = d.id and n.kind = 'deleted_unpaid' and n.expiry = d.expiry
           offset 0)
       order by d.expiry limit :limit for update of d skip locked))
   returning ${columns(holdingColumns, 't')}`,
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
 * From `deletion_at` (now) on it cannot be renewed; no row when it is renewed, or about to be.
 * Under the lock of the holding only.
 */
export const markDeleting = statement(
  'domains_mark_deleting',
  `update domains d set deletion_at = :deletion_at, updated_at = clock_timestamp()
    where d.id = :id and d.ended_at is null and d.deletion_at is null
      and date_trunc('milliseconds', d.expiry) = :expiry
      and not exists (select from orders o where o.domain = d.name and o.closed_at is null)
   returning ${columns(holdingColumns, 'd')}`,
)

/** It stays after all; its deletion is tried again at `unpaid_try_at`. */
export const unmarkDeleting = statement(
  'domains_unmark_deleting',
  `update domains
      set deletion_at = null, unpaid_try_at = :unpaid_try_at, updated_at = clock_timestamp()
    where id = :id and ended_at is null`,
)
