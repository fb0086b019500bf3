// SQL of the syncDue.
import { statement } from '../../../db/statement.ts'
import { holdingColumns } from './holdings.sql.ts'

/**
 * Takes up to $4 holdings of the registry $1 whose sync is due at $2, longest due first, until $3:
 * then they are due again, if they have not been read.
 */
export const claimDueHoldings = statement(
  'domains_claim_due',
  `update domains set sync_at = $3
    where id = any (array(
      select id from domains
       where registry = $1 and sync_at <= $2 and ended_at is null
       order by sync_at limit $4 for update skip locked))
   returning ${holdingColumns}`,
)
