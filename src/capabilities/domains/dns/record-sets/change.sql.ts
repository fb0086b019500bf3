// SQL of the changes of records, which are kept so that they can be read and reverted.
import { statement } from '../../../../db/statement.ts'

export const storeDnsChange = statement(
  'dns_changes_store',
  `insert into dns_changes (id, domain_id, customer_id, serial, action, actor_type, actor_label,
                            entry_point, reverts, sets, octets)
   values (:id, :domain_id, :customer_id, :serial, :action, :actor_type, :actor_label,
           :entry_point, :reverts, :sets, octet_length(cast(:sets as jsonb)::text))`,
  { nullable: ['actor_label', 'reverts'] },
)

/** Deletes the oldest changes beyond the number that a holding, and an account, keeps. */
export const trimDnsChanges = statement(
  'dns_changes_trim_holding',
  `select dns_changes_trim(:domain_id, :customer_id, :most, :most_octets)::text as trimmed`,
  { writes: true },
)

const listed = [
  ...['id', 'pos', 'serial', 'action', 'actor_type', 'entry_point', 'sets', 'created_at'],
] as const
/** The columns of a change, with the end of its confirmation, if it was made with one. */
const columns = `c.id, c.pos, c.serial, c.action, c.actor_type, c.actor_label, c.entry_point,
                 c.reverts, c.sets, c.created_at, o.state, o.reverts_at,
                 o.kept_because`
const confirmation = 'left join dns_confirmations o on o.change_id = c.id'

/**
 * Lists changes, newest first. `before` is the position of the last one of the page before. Returns
 * as many as take up to `most_octets`, and at least one; `looked` is the number without that limit.
 */
export const listDnsChangeRows = statement(
  'dns_changes_list',
  `with page as (
     select c.*, count(*) over () as looked,
            sum(c.octets) over (order by c.pos desc) - c.octets as newer_octets
       from (select c.* from dns_changes c join domains d on d.id = c.domain_id
              where d.id = :domain_id and d.customer_id = :customer_id and d.ended_at is null
                and c.customer_id = :customer_id
                and c.pos < coalesce(cast(:before as bigint), 9223372036854775807)
              order by c.pos desc limit :limit) c),
   reverts as (
     select r.reverts, (array_agg(r.id order by r.pos desc))[1] as id
       from dns_changes r where r.domain_id = :domain_id and r.reverts is not null
      group by r.reverts)
   select ${columns}, r.id as reverted_by, c.looked
     from page c ${confirmation} left join reverts r on r.reverts = c.id
    where c.newer_octets < cast(:most_octets as bigint) order by c.pos desc`,
  { nullable: ['before'], not_null: ['looked', ...listed] },
)

/** One change, but none of an earlier account. */
export const dnsChangeById = statement(
  'dns_changes_by_id',
  `select ${columns},
          (select r.id from dns_changes r where r.domain_id = d.id and r.reverts = c.id
            order by r.pos desc limit 1) as reverted_by
     from dns_changes c join domains d on d.id = c.domain_id ${confirmation}
    where c.id = :id and d.id = :domain_id and d.customer_id = :customer_id
      and d.ended_at is null and c.customer_id = :customer_id`,
  { not_null: listed },
)

/** Deletes up to `limit` changes that are older than a year. */
export const purgeDnsChanges = statement(
  'dns_changes_purge',
  `delete from dns_changes where pos = any (array(
     select pos from dns_changes where created_at < :before order by created_at limit :limit))`,
)
