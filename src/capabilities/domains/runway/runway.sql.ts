// SQL of the forecast of renewals.
import { statement } from '../../../db/statement.ts'

/**
 * The facts that price a renewal of each domain `d`. `currency` is that of the last payment.
 * `fee_amount`, `fee_type` and `fee_years` are the newest fee that a paid order acknowledged to the
 * registry, which identifies a premium name. `is_renewable` is whether it is not being deleted.
 */
const pricingColumns = `d.name, d.expiry, d.auto_renew, d.from_reserve,
          d.deletion_at is null
          and not d.rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}'
            as is_renewable,
          paid.currency, charged.fee_amount, charged.fee_currency, charged.fee_type,
          charged.fee_years`

/** The newest paid orders of the customer for each domain `d`. */
const paidOrders = `left join lateral (
       select o.currency from orders o
        where o.customer_id = d.customer_id and o.domain = d.name and o.state = 'succeeded'
        order by o.created_at desc limit 1) paid on true
     left join lateral (
       select o.command->'fee'->>'amount' as fee_amount,
              o.command->'fee'->>'currency' as fee_currency, o.type as fee_type,
              coalesce(o.command->>'send_years', o.command->>'period_years', '1')::integer
                as fee_years
         from orders o
        where o.customer_id = d.customer_id and o.domain = d.name and o.state = 'succeeded'
          and o.command->'fee'->>'amount' is not null
        order by o.created_at desc limit 1) charged on true`

/** All domains of a customer, with the facts that price their renewals. */
export const runwayDomains = statement(
  'domains_runway',
  `select ${pricingColumns}
     from domains d
     ${paidOrders}
    where d.customer_id = :customer_id and d.ended_at is null`,
  { not_null: ['name', 'expiry', 'auto_renew', 'from_reserve', 'is_renewable'] },
)

/** The same domains, with the facts for their status, and the state of an open order. */
export const summaryDomains = statement(
  'domains_summary',
  `select ${pricingColumns}, d.registry_expiry, d.epp_statuses, d.rgp_statuses, d.transfer_out,
          ordered.type as order_type, ordered.state as order_state
     from domains d
     ${paidOrders}
     left join orders ordered
       on ordered.domain = d.name and ordered.customer_id = d.customer_id
          and ordered.closed_at is null
    where d.customer_id = :customer_id and d.ended_at is null`,
  {
    not_null: [
      ...['name', 'expiry', 'auto_renew', 'from_reserve', 'is_renewable', 'registry_expiry'],
      ...['epp_statuses', 'rgp_statuses'],
    ],
  },
)

/** All names that the customer is buying. */
export const openPurchases = statement(
  'orders_open_of_customer',
  `select domain, type, state, closed_at from orders
    where customer_id = :customer_id and closed_at is null and type in ('register', 'transfer')`,
)
