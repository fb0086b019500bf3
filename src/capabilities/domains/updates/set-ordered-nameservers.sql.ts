// SQL of the name servers that an order still has to bring.
import { statement } from '../../../db/statement.ts'
import { holdingColumnsOf } from '../holdings/holdings.sql.ts'

/** The holding, if an order still has to set its name servers. */
export const holdingToDelegate = statement(
  'domains_to_delegate',
  `select ${holdingColumnsOf('t')},
          (select o.command from orders o where o.id = t.order_id) as ordered
     from domains t where t.id = :id and t.wanted_nameservers is not null and t.ended_at is null`,
)

/** Gives them up; no row when they are not wanted any more. */
export const giveUpWanted = statement(
  'domains_give_up_wanted',
  `update domains set wanted_nameservers = null, updated_at = clock_timestamp()
    where id = :id and ended_at is null and wanted_nameservers is not null returning id`,
)
