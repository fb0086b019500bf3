// SQL of the price table.
import { statement } from '../../db/statement.ts'

export const pricesIn = statement(
  'pricing_in_currency',
  `select tld, action, registry, cost_currency, cost, price, synced_at
     from tld_prices where currency = :currency`,
)

/** Locks the prices in one order, so that two syncs wait for each other and never deadlock. */
export const lockPrices = statement(
  'pricing_lock',
  `select currency, tld, action, price from tld_prices order by currency, tld, action for update`,
)

/**
 * The TLDs that have had no price since then; each is of the registry at the same place of the
 * list.
 */
export const stalePrices = statement(
  'pricing_stale',
  `select asked.tld
     from unnest(:tlds::text[], :registries::text[]) as asked (tld, registry)
    where not exists (
      select from tld_prices known
       where known.tld = asked.tld and known.registry = asked.registry
         and known.synced_at > :since)`,
  { not_null: ['tld'] },
)

export const putPrices = statement(
  'pricing_put',
  `insert into tld_prices as known
     (currency, tld, action, registry, cost_currency, cost, price, synced_at)
   select p.currency, p.tld, p.action, p.registry, p.cost_currency, p.cost, p.price, :synced_at
     from unnest(:currencies::text[], :tlds::text[], :actions::text[], :registries::text[],
                 :cost_currencies::text[],
                 :costs::bigint[], :prices::bigint[])
       as p (currency, tld, action, registry, cost_currency, cost, price)
    order by p.currency, p.tld, p.action
   on conflict (currency, tld, action) do update
     set registry = excluded.registry, cost_currency = excluded.cost_currency,
         cost = excluded.cost, price = excluded.price, synced_at = excluded.synced_at`,
)
