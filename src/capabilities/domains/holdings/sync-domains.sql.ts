// SQL of the syncDue.
import { statement } from '../../../db/statement.ts'
import { holdingColumns } from './holdings.sql.ts'

/**
 * Takes up to `limit` holdings of a registry whose sync is due at `now`, longest due first, until
 * `sync_at`: then they are due again, if they have not been read.
 */
export const claimDueHoldings = statement(
  'domains_claim_due',
  `update domains set sync_at = :sync_at
    where id = any (array(
      select id from domains
       where registry = :registry and sync_at <= :now and ended_at is null
       order by sync_at limit :limit for update skip locked))
   returning ${holdingColumns}`,
)
