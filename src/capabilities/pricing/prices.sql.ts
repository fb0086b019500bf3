// SQL of the price table.
import { statement } from '../../db/statement.ts'

export const pricesIn = statement(
  'pricing_in_currency',
  `select tld, action, registry, cost_currency, cost, price, synced_at
     from tld_prices where currency = $1`,
)

/** In one order, so that two syncs wait for each other and never clash. */
export const lockPrices = statement(
  'pricing_lock',
  `select currency, tld, action, price from tld_prices order by currency, tld, action for update`,
)

/** Which of the TLDs $1, each of the registry $2 at its place, have no price since $3. */
export const stalePrices = statement(
  'pricing_stale',
  `select asked.tld
     from unnest($1::text[], $2::text[]) as asked (tld, registry)
    where not exists (
      select from tld_prices known
       where known.tld = asked.tld and known.registry = asked.registry and known.synced_at > $3)`,
  { not_null: ['tld'] },
)

export const putPrices = statement(
  'pricing_put',
  `insert into tld_prices as known
     (currency, tld, action, registry, cost_currency, cost, price, synced_at)
   select p.currency, p.tld, p.action, p.registry, p.cost_currency, p.cost, p.price, $8
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
                 $6::bigint[], $7::bigint[])
       as p (currency, tld, action, registry, cost_currency, cost, price)
    order by p.currency, p.tld, p.action
   on conflict (currency, tld, action) do update
     set registry = excluded.registry, cost_currency = excluded.cost_currency,
         cost = excluded.cost, price = excluded.price, synced_at = excluded.synced_at`,
)
