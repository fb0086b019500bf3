// SQL of what owners are told about the end of a term.
import { statement } from '../../db/statement.ts'

/**
 * Up to $5 holdings after the id $4 whose expiry is after $2 and not after $3, that still can be
 * renewed and whose owner was not told $1 of this term. `currency`: what was last paid in.
 */
export const dueNotices = statement(
  'expiry_notices_due',
  `select d.id, d.name, d.customer_id, d.expiry, d.auto_renew,
          (select o.currency from orders o
            where o.customer_id = d.customer_id and o.domain = d.name and o.state = 'succeeded'
            order by o.created_at desc limit 1) as currency
     from domains d
    where d.ended_at is null and d.expiry > $2 and d.expiry <= $3 and d.id > $4
      and d.deletion_at is null
      and not d.rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}'
      and not exists (
        select from expiry_notices n
         where n.domain_id = d.id and n.kind = $1 and n.expiry = d.expiry)
    order by d.id limit $5`,
)

/** Notes that the owner of $1 is told $2; no row: it was told, or the term is not $3 any more. */
export const noteNotice = statement(
  'expiry_notices_note',
  `insert into expiry_notices (domain_id, kind, expiry)
   select d.id, $2, d.expiry from domains d
    where d.id = $1 and d.ended_at is null and date_trunc('milliseconds', d.expiry) = $3
   on conflict do nothing
   returning domain_id`,
)

/** What was last paid for a domain, in which currency. */
export const currencyOfDomain = statement(
  'orders_currency_of_domain',
  `select currency from orders where customer_id = $1 and domain = $2 and state = 'succeeded'
    order by created_at desc limit 1`,
)
