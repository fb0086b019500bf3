// SQL of expiry notices.
import { statement } from '../../../db/statement.ts'

/**
 * Looks at `limit` holdings whose expiry is after `expires_after` and not after `expires_by`, in
 * the order of (expiry, id) and after (`after_at`, `after_id`). `due` is whether the holding can
 * still be renewed and its owner did not get a notice of this kind for this term. The last holding
 * is returned in any case, since its `at` and `id` are the place to continue; `looked` is their
 * number. `currency` is the one of the last payment.
 */
export const dueNotices = statement(
  'expiry_notices_due',
  `with page as materialized (
     select d.id, d.name, d.customer_id, d.expiry, d.auto_renew,
            d.deletion_at is null
            and not d.rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}'
            and not exists (
              select from expiry_notices n
               where n.domain_id = d.id and n.kind = :kind and n.expiry = d.expiry) as due
       from domains d
      where d.ended_at is null and d.expiry > :expires_after and d.expiry <= :expires_by
        and (d.expiry, d.id) > (:after_at::text::timestamptz, :after_id::bigint)
      order by d.expiry, d.id limit :limit
   ), numbered as (
     select p.*, count(*) over ()::int as looked,
            row_number() over (order by p.expiry, p.id) as place
       from page p)
   select p.id, p.name, p.customer_id, p.expiry, p.auto_renew, p.due, p.looked,
          p.expiry::text as at,
          case when p.due then (
            select o.currency from orders o
             where o.customer_id = p.customer_id and o.domain = p.name and o.state = 'succeeded'
             order by o.created_at desc limit 1) end as currency
     from numbered p
    where p.due or p.place = p.looked
    order by p.place`,
  { not_null: ['id', 'name', 'customer_id', 'expiry', 'auto_renew', 'due', 'looked', 'at'] },
)

/**
 * Records a notice. Returns no row if it was sent before, if the term no longer ends at `expiry`,
 * or if automatic renewal was turned on or off since it was read as `auto_renew` (null if
 * irrelevant).
 */
export const noteNotice = statement(
  'expiry_notices_note',
  `insert into expiry_notices (domain_id, kind, expiry)
   select d.id, :kind, d.expiry from domains d
    where d.id = :domain_id and d.ended_at is null
      and date_trunc('milliseconds', d.expiry) = :expiry
      and d.auto_renew is not distinct from coalesce(:auto_renew, d.auto_renew)
   on conflict do nothing
   returning domain_id`,
  { nullable: ['auto_renew'] },
)

/** The last payment for a domain, and its currency. */
export const currencyOfDomain = statement(
  'orders_currency_of_domain',
  `select currency from orders
    where customer_id = :customer_id and domain = :domain and state = 'succeeded'
    order by created_at desc limit 1`,
)
