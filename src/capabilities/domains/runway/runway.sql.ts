// SQL of the forecast of renewals.
import { statement } from '../../../db/statement.ts'

/**
 * All domains of a customer. `currency`: what was last paid in. `fee_amount`, `fee_type` and
 * `fee_years`: the newest fee that a paid order acknowledged to the registry, by which a premium
 * name is known. `is_renewable`: it is not being deleted.
 */
export const runwayDomains = statement(
  'domains_runway',
  `select d.name, d.expiry, d.auto_renew, d.from_reserve,
          d.deletion_at is null
          and not d.rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}'
            as is_renewable,
          paid.currency, charged.fee_amount, charged.fee_currency, charged.fee_type,
          charged.fee_years
     from domains d
     left join lateral (
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
        order by o.created_at desc limit 1) charged on true
    where d.customer_id = :customer_id and d.ended_at is null`,
  { not_null: ['name', 'expiry', 'auto_renew', 'from_reserve', 'is_renewable'] },
)
