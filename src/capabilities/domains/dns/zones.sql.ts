// SQL of zones: the served records, and the wanted ones.
import { statement } from '../../../db/statement.ts'

/**
 * The sets `s` at a path that a question is about, as [{type, ttl, rdata: ["\\x..."]}], or null.
 */
const setsAt = (path: string) => `(
         select count(*) > 0 as is_found,
                jsonb_agg(jsonb_build_object('type', s.type, 'ttl', s.ttl, 'rdata', s.rdata))
                  filter (where s.type = any (:types::integer[]) or :all_types::boolean) as sets
           from dns_record_sets s
          where s.domain_id = zone.domain_id and s.path = ${path})`

const hasBelow = (path: string) => `exists (
         select from dns_record_sets below
          where below.domain_id = zone.domain_id
            and below.path > ${path} || '.' and below.path < ${path} || '/')`

/**
 * The longest of `zones` that is a zone of ours, with the sets at each name within it and at "*"
 * below it, and whether other names are below it; the longest name first. `paths` has the same
 * names from their ends.
 */
export const findNames = statement(
  'zones_find_sets',
  `with zone as (
     select z.name, z.domain_id, z.serial, z.nameservers from zones z
      where z.name = any (:zones::text[]) and z.state = 'served'
      order by length(z.name) desc limit 1)
   select zone.name as zone, zone.domain_id, zone.serial, zone.nameservers, one.name,
          own.is_found, own.sets, ${hasBelow('one.path')} as has_below,
          star.sets as wildcard_sets,
          star.is_found or ${hasBelow("(one.path || '.*')")} as has_wildcard
     from zone
    cross join unnest(:names::text[], :paths::text[]) as one (name, path)
    cross join lateral ${setsAt('one.path')} own
    cross join lateral ${setsAt("one.path || '.*'")} star
    where length(one.name) >= length(zone.name)
    order by length(one.name) desc`,
  {
    not_null: [
      ...['zone', 'domain_id', 'serial', 'nameservers', 'name', 'is_found'],
      ...['has_below', 'has_wildcard'],
    ],
  },
)

/** The addresses at names of a zone: glue and additional data. */
export const findAddresses = statement(
  'zones_find_addresses',
  `select s.path, s.type, s.ttl, s.rdata from dns_record_sets s
    where s.domain_id = :domain_id and s.path = any (:paths::text[]) and s.type in (1, 28)
    order by s.path, s.type`,
)

/** Stores which name servers are ours; returns no row if they are the same. */
export const setOwnNameservers = statement(
  'zones_set_own_nameservers',
  `update own_nameservers set names = :names
    where names is distinct from :names::text[] returning names`,
)

/**
 * Repairs the zones of up to `limit` holdings after the name `after`, in the order of names, as
 * transactions that settle orders lock them; a holding that is being changed is left to its own
 * trigger. Records stay, because the list of own name servers may be wrong. A zone that leaves is
 * ended when its time has come. `last` is the name to continue after.
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
            else z.name is not null and (z.leaves_at > clock_timestamp()) is not true end
      order by d.name
        for no key update of d skip locked)
   select (select count(*)::int from page) as looked, (select max(name) from page) as last,
          (select count(zones_apply_holding(w.holding))::int from wrong w) as repaired`,
  { not_null: ['looked', 'repaired'], writes: true },
)

/** Repairs zones that are served although their holding has ended. */
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

/** Serves the zone of a holding that is delegated elsewhere; returns no row if not all are ours. */
export const serveZoneAhead = statement(
  'zones_serve_ahead',
  `with held as materialized (
     select d.name, d.id, d.customer_id, zones_hosts(:nameservers::text[]) as hosts
       from domains d
      where d.id = :id and d.customer_id = :customer_id and d.ended_at is null
        for no key update of d)
   select h.name, zones_serve(array[h.name], array[h.id], array[h.customer_id], array[h.hosts])
     from held h where h.hosts is not null`,
  { writes: true },
)

/** Brings the zone of a holding in line with its stored name servers. */
export const followHolding = statement(
  'zones_follow_holding',
  `with held as materialized (
     select d as holding from domains d
      where d.id = :id and d.customer_id = :customer_id and d.ended_at is null
        for no key update of d)
   select zones_apply_holding(h.holding) as served from held h`,
  { not_null: ['served'], writes: true },
)

/** Locks the holding, so that no other transaction changes it until the end of this one. */
export const lockZoneHolding = statement(
  'zones_lock_holding',
  `select id from domains
    where id = :id and customer_id = :customer_id and ended_at is null for no key update`,
)

/** Whether all name servers of the holding are ours, so that it has or will get a zone. */
export const readHosting = statement(
  'zones_read_hosting',
  `select zones_hosts(d.nameservers) is not null as hosted from domains d
    where d.id = :id and d.customer_id = :customer_id and d.ended_at is null`,
  { not_null: ['hosted'] },
)

/**
 * The A records of the holding, the first of each set: the domain itself, then its hosts by their
 * names from the end.
 */
export const listRecords = statement(
  'zones_list_records',
  `select s.host, dns_ipv4_text(s.rdata[1]) as value, s.ttl, s.updated_at
     from dns_record_sets s join domains d on d.id = s.domain_id
    where d.id = :id and d.customer_id = :customer_id and d.ended_at is null and s.type = 1
    order by s.path`,
  { not_null: ['value'] },
)
