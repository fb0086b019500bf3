// SQL of updates: the lease of a domain, and the settings that the registry does not have.
import { statement } from '../../../db/statement.ts'
import { holdingColumns } from '../holdings/holdings.sql.ts'

/**
 * Leases the domain $1 for $3 ms under the token $2, or renews the lease of that token; no row
 * while another token has it.
 */
export const acquireDomain = statement(
  'domain_changes_claim',
  `insert into domain_changes as c (domain, token, lease_until)
   values ($1, $2, clock_timestamp() + $3::int * interval '1 millisecond')
   on conflict (domain) do update set token = excluded.token, lease_until = excluded.lease_until
     where c.token = excluded.token or c.lease_until <= clock_timestamp()
   returning domain`,
)

export const releaseDomain = statement(
  'domain_changes_end',
  'delete from domain_changes where domain = $1 and token = $2',
)

export const setAutoRenew = statement(
  'domains_set_auto_renew',
  `update domains set auto_renew = $3, updated_at = clock_timestamp()
    where id = $1 and customer_id = $2 and ended_at is null
   returning ${holdingColumns}`,
)

/** The owner has chosen name servers since: those that a transfer was to bring are not wanted. */
export const purgeWanted = statement(
  'domains_purge_wanted',
  `update domains set wanted_nameservers = null, updated_at = clock_timestamp()
    where id = $1 and customer_id = $2 and wanted_nameservers is not null and ended_at is null`,
)
