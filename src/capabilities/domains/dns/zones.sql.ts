// SQL of zones: what is served, what is to be served, and what the DNS provider has.
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
          (select count(zones_follow(w.holding))::int from wrong w) as repaired`,
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
          (select count(zones_follow(w.holding))::int from wrong w) as repaired`,
  { not_null: ['looked', 'repaired'], writes: true },
)

/** No other transaction changes the holding until the end of this one. */
export const lockZoneHolding = statement(
  'zones_lock_holding',
  `select id from domains
    where id = :id and customer_id = :customer_id and ended_at is null for no key update`,
)

/** Gives one holding its zone, where it ought to have one. Locked before, so read as it is now. */
export const followHolding = statement(
  'zones_follow',
  `select zones_follow(d) as has_zone from domains d
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
  `update zones
      set serial = zones_next_serial(serial), push_at = clock_timestamp(), push_failures = 0,
          updated_at = clock_timestamp()
    where name = :name returning serial`,
)

/** Whether the provider has the zone as it is. */
export const zonePushed = statement(
  'zones_pushed',
  `select pushed_serial = serial as pushed from zones where name = :name`,
)

/**
 * One row while the zones are pushed to `provider` (null: to none). Locked, so that a change of the
 * provider waits for the statement, and a statement after it finds no row.
 */
const ours = `with ours as materialized (
     select one_row from own_nameservers
      where provider is not distinct from :provider::text for share)`

/** Stores which provider zones are pushed to; no row when it is the same. All are queued for it. */
export const setProvider = statement(
  'zones_set_provider',
  `update own_nameservers
      set provider = :provider, requeue_after = case when :provider::text is not null then '' end
    where provider is distinct from :provider::text returning one_row`,
  { nullable: ['provider'] },
)

/** Queues the next zones for a provider that is new; `more`: some are left. */
export const requeueZones = statement(
  'zones_requeue',
  `with state as materialized (
     select requeue_after from own_nameservers
      where provider = :provider and requeue_after is not null for no key update
   ), page as materialized (
     select z.name from zones z
      where z.name > (select s.requeue_after from state s)
      order by z.name limit :limit for no key update
   ), queued as (
     update zones
        set pushed_serial = case when pushed_serial is not null then 0 end,
            push_at = clock_timestamp(), push_failures = 0, push_error = null,
            lease_until = null, lease_token = lease_token + 1
      where name = any (array(select p.name from page p))
   ), moved as (
     update own_nameservers
        set requeue_after = case when (select count(*) from page) = :limit
                                 then (select max(p.name) from page p) end
      where exists (select from state))
   select count(*) = :limit as more from page`,
  { not_null: ['more'], writes: true },
)

/** Takes zones from the queue where they are pushed to none. */
export const dequeueZones = statement(
  'zones_dequeue',
  `with ours as materialized (
     select one_row from own_nameservers where provider is null for share)
   update zones set push_at = null
    where name = any (array(
      select name from zones
       where pushed_serial is distinct from serial and push_at is not null
         and exists (select from ours)
       order by push_at limit :limit for no key update skip locked))`,
)

const pushed = 'name, domain_id, nameservers, serial, state, lease_token, push_failures'

/**
 * Leases one zone that is to be pushed to the provider; no row while another push has it.
 */
export const claimZone = statement(
  'zones_claim',
  `${ours}
   update zones
      set lease_until = clock_timestamp() + :lease_ms::int * interval '1 millisecond',
          lease_token = lease_token + 1, pushed_serial = coalesce(pushed_serial, 0)
    where name = :name and pushed_serial is distinct from serial and exists (select from ours)
      and (lease_until is null or lease_until <= clock_timestamp())
   returning ${pushed}`,
  { nullable: ['provider'] },
)

/** Leases zones that are due to be pushed to the provider. */
export const claimDueZones = statement(
  'zones_claim_due',
  `${ours}
   update zones
      set lease_until = clock_timestamp() + :lease_ms::int * interval '1 millisecond',
          lease_token = lease_token + 1, pushed_serial = coalesce(pushed_serial, 0)
    where name = any (array(
      select name from zones
       where pushed_serial is distinct from serial and push_at <= statement_timestamp()
         and exists (select from ours)
         and (lease_until is null or lease_until <= statement_timestamp())
       order by push_at limit :limit for update skip locked))
   returning ${pushed}`,
  { nullable: ['provider'] },
)

export const recordsOf = statement(
  'zones_records_of',
  `select host, value, ttl from zone_records where domain_id = :domain_id order by path`,
)

/** The provider has this serial, as the holder of the lease says. */
export const markPushed = statement(
  'zones_mark_pushed',
  `update zones
      set pushed_serial = :pushed_serial, lease_until = null, push_failures = 0, push_error = null
    where name = :name and lease_token = :lease_token`,
)

/** Deletes a zone that the provider has dropped, unless a holding wants it again. */
export const purgeZone = statement(
  'zones_purge',
  `delete from zones
    where name = :name and lease_token = :lease_token and serial = :serial and state = 'dropped'`,
)

/** To be pushed again in `in_ms`. */
export const markUnpushed = statement(
  'zones_mark_unpushed',
  `update zones
      set lease_until = null, push_failures = push_failures + 1, push_error = :push_error,
          push_at = clock_timestamp() + :in_ms::int * interval '1 millisecond'
    where name = :name and lease_token = :lease_token`,
)
