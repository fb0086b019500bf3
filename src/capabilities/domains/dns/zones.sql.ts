// SQL of zones: the served records, and the wanted ones.
import { statement } from '../../../db/statement.ts'

/**
 * The longest of the names that is a zone of ours, and what is at each name within it, at "*" below
 * it and below it; the longest name first. `paths`: the same names from their ends.
 */
export const findNames = statement(
  'zones_find',
  `with zone as (
     select z.name, z.domain_id, z.serial, z.nameservers from zones z
      where z.name = any (:names::text[]) and z.state = 'served'
      order by length(z.name) desc limit 1)
   select zone.name as zone, zone.serial, zone.nameservers, one.name, own.value, own.ttl,
          star.value as wildcard_value, star.ttl as wildcard_ttl,
          exists (select from zone_records below
                   where below.domain_id = zone.domain_id
                     and below.path > one.path || '.' and below.path < one.path || '/')
            as has_below
     from zone
    cross join unnest(:names::text[], :paths::text[]) as one (name, path)
     left join zone_records own on own.domain_id = zone.domain_id and own.path = one.path
     left join zone_records star
       on star.domain_id = zone.domain_id and star.path = one.path || '.*'
    where length(one.name) >= length(zone.name)
    order by length(one.name) desc`,
  { not_null: ['zone', 'serial', 'nameservers', 'name', 'has_below'] },
)

/** Stores which name servers are ours; no row when they are the same. */
export const setOwnNameservers = statement(
  'zones_set_own_nameservers',
  `update own_nameservers set names = :names
    where names is distinct from :names::text[] returning names`,
)

/**
 * Repairs the zones of up to `limit` holdings after the name `after`, in the order of names, as
 * transactions that settle orders lock them; a holding that is being changed is left to its own
 * trigger. Records stay: the list of own name servers may be wrong. `last`: where to go on.
 */
export const repairZones = statement(
  'zones_repair',
  `with page as materialized (
     select d.id, d.name from domains d
      where d.ended_at is null and d.name > :after order by d.name limit :limit
   ), wrong as materialized (
     select d as holding
       from domains d
      cross join own_nameservers o
       left join zones z on z.name = d.name and z.domain_id = d.id and z.state = 'served'
      where d.id = any (array(select p.id from page p)) and d.ended_at is null
        and case when d.nameservers <> '{}' and d.nameservers <@ o.names
            then (z.nameservers <@ d.nameservers and z.nameservers @> d.nameservers) is not true
            else z.name is not null end
      order by d.name
        for no key update of d skip locked)
   select (select count(*)::int from page) as looked, (select max(name) from page) as last,
          (select count(zones_apply_holding(w.holding))::int from wrong w) as repaired`,
  { not_null: ['looked', 'repaired'], writes: true },
)

/** The same for zones that are served though their holding has ended. */
export const repairEndedZones = statement(
  'zones_repair_ended',
  `with page as materialized (
     select z.name, z.domain_id from zones z
      where z.name > :after and z.state = 'served' order by z.name limit :limit
   ), wrong as materialized (
     select d as holding
       from domains d
      where d.id = any (array(select p.domain_id from page p)) and d.ended_at is not null
      order by d.name
        for no key update of d skip locked)
   select (select count(*)::int from page) as looked, (select max(name) from page) as last,
          (select count(zones_apply_holding(w.holding))::int from wrong w) as repaired`,
  { not_null: ['looked', 'repaired'], writes: true },
)

/** No other transaction changes the holding until the end of this one. */
export const lockZoneHolding = statement(
  'zones_lock_holding',
  `select id from domains
    where id = :id and customer_id = :customer_id and ended_at is null for no key update`,
)

/** Gives one holding its zone, where it ought to have one. Locked before, so read as it is now. */
export const applyHolding = statement(
  'zones_apply_holding',
  `select zones_apply_holding(d) as has_zone from domains d
    where d.id = :id and d.customer_id = :customer_id and d.ended_at is null`,
  { writes: true },
)

/** The zone of a holding, locked until the end of the transaction. */
export const lockZone = statement(
  'zones_lock',
  `select name, domain_id, serial from zones
    where name = :name and customer_id = :customer_id and state = 'served' for update`,
)

/** How many records the holding has beside the one at `path`. */
export const countOtherRecords = statement(
  'zones_count_other_records',
  `select count(*)::int as others from zone_records where domain_id = :domain_id and path <> :path`,
  { not_null: ['others'] },
)

/** No row when it is there already. */
export const putRecord = statement(
  'zones_put_record',
  `insert into zone_records as r (domain_id, path, host, value, ttl)
   values (:domain_id, :path, :host, :value, :ttl)
   on conflict (domain_id, path) do update
     set value = excluded.value, ttl = excluded.ttl, updated_at = clock_timestamp()
     where (r.value, r.ttl) is distinct from (excluded.value, excluded.ttl)
   returning host`,
)

export const touchZone = statement(
  'zones_touch',
  `update zones set serial = zones_next_serial(serial), updated_at = clock_timestamp()
    where name = :name returning serial`,
)

/** Whether all name servers of the holding are ours, so that it has a zone, or ought to. */
export const readHosting = statement(
  'zones_read_hosting',
  `select zones_hosts(d.nameservers) is not null as hosted from domains d
    where d.id = :id and d.customer_id = :customer_id and d.ended_at is null`,
  { not_null: ['hosted'] },
)

/** The records of the holding: the domain itself, then its hosts by their names from the end. */
export const listRecords = statement(
  'zones_list_records',
  `select r.host, r.value, r.ttl, r.updated_at
     from zone_records r join domains d on d.id = r.domain_id
    where d.id = :id and d.customer_id = :customer_id and d.ended_at is null
    order by r.path`,
)
