// SQL of the comparison of all holdings with their registries.
import { statement } from '../../../db/statement.ts'
import { holdingColumns } from '../holdings/holdings.sql.ts'

/** The holdings with ids after `after`, by id. */
export const holdingsAfter = statement(
  'domains_after',
  `select ${holdingColumns} from domains
    where id > :after and ended_at is null order by id limit :limit`,
)

/** Whether each name is held, and its open order. */
export const expectedNames = statement(
  'domains_expected_names',
  `select n.name,
          exists (select from domains d where d.name = n.name and d.ended_at is null) as held,
          (select o.id from orders o
            where o.domain = n.name and o.closed_at is null limit 1) as open_order
     from unnest(:names::text[]) as n(name)`,
  { not_null: ['name', 'held'] },
)
