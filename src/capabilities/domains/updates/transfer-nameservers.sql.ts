// SQL of the name servers that an order still has to bring.
import { statement } from '../../../db/statement.ts'
import { holdingColumnsOf } from '../holdings/holdings.sql.ts'

/**
 * Takes up to $1 holdings of the registry $2 whose wanted name servers are not at the registry yet.
 * Each try doubles the wait for the next, from 10 s to an hour.
 */
export const claimFollowUps = statement(
  'domains_claim_follow_ups',
  `update domains t
      set follow_up_failures = t.follow_up_failures + 1,
          follow_up_at = clock_timestamp()
            + least(3600, 10 * 2 ^ least(t.follow_up_failures, 20)) * interval '1 second'
    where t.id = any (array(
      select d.id from domains d
       where d.registry = $2 and d.wanted_nameservers is not null and d.ended_at is null
         and coalesce(d.follow_up_at, '-infinity') <= statement_timestamp()
       order by coalesce(d.follow_up_at, '-infinity') limit $1 for update skip locked))
   returning t.follow_up_failures as tries, ${holdingColumnsOf('t')},
     (select o.command from orders o where o.id = t.order_id) as ordered`,
)

/** Gives them up; no row when they are not wanted any more. */
export const giveUpWanted = statement(
  'domains_give_up_wanted',
  `update domains set wanted_nameservers = null, updated_at = clock_timestamp()
    where id = $1 and ended_at is null and wanted_nameservers is not null returning id`,
)
