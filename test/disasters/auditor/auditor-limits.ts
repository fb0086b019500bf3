// I11: a budget counts exactly what the orders under it hold or have paid, and that is never more
// than the budget.
import type { Query } from './auditor-input.ts'

/** Audits budgets without an end; the chain above a key is found by its parents. */
export async function auditLimits(query: Query): Promise<string[]> {
  const rows = await query(
    `with recursive chain as (
       select id as key_id, id as link from api_keys
       union all
       select c.key_id, k.parent_key_id from chain c join api_keys k on k.id = c.link
        where k.parent_key_id is not null
     )
     select l.id::text, l.spent::text, l.spend_amount::text as most, taken.cents::text
       from access_limits l
      cross join lateral (
        select coalesce(sum(o.amount), 0) as cents
          from orders o join chain c on c.key_id = o.api_key_id and c.link = l.api_key_id
         where o.state <> 'failed' and o.currency = l.spend_currency) taken
      where l.spend_window = 'total' and l.api_key_id is not null
        and (l.spent <> taken.cents or taken.cents > l.spend_amount)`,
  )
  return rows.map(
    ({ id, spent, most, cents }) => `I11 budget ${id}: ${cents} of ${most} taken, ${spent} counted`,
  )
}
