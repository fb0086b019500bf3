// SQL of updates: the lease of a domain, and the settings that the registry does not have.
import { leaseEnd, statement } from '../../../db/statement.ts'
import { holdingColumnsOf } from '../holdings/holdings.sql.ts'

/**
 * Leases the domain under the token, or renews the lease of that token. Returns no row while
 * another token has it.
 */
export const acquireDomain = statement(
  'domain_changes_claim',
  `insert into domain_changes as c (domain, token, lease_until)
   values (:domain, :token, ${leaseEnd})
   on conflict (domain) do update set token = excluded.token, lease_until = excluded.lease_until
     where c.token = excluded.token or c.lease_until <= clock_timestamp()
   returning domain`,
)

export const releaseDomain = statement(
  'domain_changes_end',
  'delete from domain_changes where domain = :domain and token = :token',
)

/**
 * Notes the key or the consent that turns it on, and keeps the one that did so before. The owner,
 * who has neither, takes it over.
 */
export const setAutoRenew = statement(
  'domains_set_auto_renew',
  `update domains d
      set auto_renew = :auto_renew, updated_at = clock_timestamp(),
          auto_renew_key_id = case when takes.over then :api_key_id
                                   when :auto_renew then d.auto_renew_key_id end,
          auto_renew_grant_id = case when takes.over then :oauth_grant_id
                                     when :auto_renew then d.auto_renew_grant_id end
     from (select h.id, :auto_renew and (not h.auto_renew
                    or :api_key_id::bigint is null and :oauth_grant_id::text is null) as over
             from domains h where h.id = :id) takes
    where d.id = takes.id and d.customer_id = :customer_id and d.ended_at is null
   returning ${holdingColumnsOf('d')}`,
  { nullable: ['api_key_id', 'oauth_grant_id'] },
)

export const setProtected = statement(
  'domains_set_protected',
  `update domains d
      set protected = :is_protected,
          updated_at = case when d.protected = :is_protected then d.updated_at
                            else clock_timestamp() end
    where d.customer_id = :customer_id and d.name = :name and d.ended_at is null
   returning ${holdingColumnsOf('d')}`,
)

export const setFromReserve = statement(
  'domains_set_from_reserve',
  `update domains d
      set from_reserve = :from_reserve,
          updated_at = case when d.from_reserve = :from_reserve then d.updated_at
                            else clock_timestamp() end
    where d.customer_id = :customer_id and d.name = :name and d.ended_at is null
   returning ${holdingColumnsOf('d')}`,
)

/** Drops the name servers of a transfer, because the owner has chosen others since. */
export const purgeWanted = statement(
  'domains_purge_wanted',
  `update domains set wanted_nameservers = null, updated_at = clock_timestamp()
    where id = :id and customer_id = :customer_id and wanted_nameservers is not null
      and ended_at is null`,
)

/** The holding, if an order still has to set its name servers. */
export const holdingToDelegate = statement(
  'domains_to_delegate',
  `select ${holdingColumnsOf('t')},
          (select o.command from orders o where o.id = t.order_id) as ordered,
          exists (select from orders o
                   where o.id = t.order_id and o.type = 'transfer') as transferred
     from domains t where t.id = :id and t.wanted_nameservers is not null and t.ended_at is null`,
)

/** The holding, if it came by a transfer. */
export const transferredHolding = statement(
  'domains_transferred_in',
  `select ${holdingColumnsOf('t')} from domains t
    where t.id = :id and t.ended_at is null
      and exists (select from orders o where o.id = t.order_id and o.type = 'transfer')`,
)

/** Gives the wanted name servers up; returns no row if they are no longer wanted. */
export const dropWantedNameservers = statement(
  'domains_drop_wanted_nameservers',
  `update domains set wanted_nameservers = null, updated_at = clock_timestamp()
    where id = :id and ended_at is null and wanted_nameservers is not null returning id`,
)
