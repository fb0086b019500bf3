// SQL of pushes of zones to an external DNS provider.
import { statement } from '../../../db/statement.ts'

/** Stores the provider of zones, or null for none, and returns whether it has changed. */
export const setProvider = statement(
  'zones_set_provider',
  `select zones_set_provider(:provider) as changed`,
  { nullable: ['provider'], not_null: ['changed'], writes: true },
)

/** Enqueues the next zones for a new provider; `more` is whether some may be left. */
export const requeueZones = statement(
  'zones_requeue',
  `select zones_requeue(:provider, :limit) as more`,
  { not_null: ['more'], writes: true },
)

/** Deletes the tasks of zones if there is no provider any more. */
export const dequeueZones = statement(
  'zones_dequeue',
  `with none as materialized (
     select one_row from own_nameservers where provider is null for share)
   delete from tasks
    where id = any (array(
      select id from tasks
       where kind = 'push_zone' and exists (select from none)
       limit :limit for update skip locked))`,
)

/** The zone as it will be pushed; from now on the provider may have it. */
export const beginPush = statement(
  'zones_begin_push',
  `update zones set pushed_serial = coalesce(pushed_serial, 0) where name = :name
   returning name, domain_id, nameservers, serial, state`,
)

export const recordsOf = statement(
  'zones_records_of',
  `select host, type, ttl, rdata from dns_record_sets where domain_id = :domain_id
    order by path, type`,
)

/** Whether the provider has the zone as it is. */
export const zonePushed = statement(
  'zones_pushed',
  `select pushed_serial = serial as pushed from zones where name = :name`,
)

/** Records that the provider has this serial. */
export const markPushed = statement(
  'zones_mark_pushed',
  `update zones set pushed_serial = :pushed_serial where name = :name`,
)

/** Deletes a zone that the provider has dropped, unless a holding wants it again. */
export const purgeZone = statement(
  'zones_purge',
  `delete from zones where name = :name and serial = :serial and state = 'dropped'`,
)
