// SQL of readings: registry state of holdings.
import { statement } from '../../../db/statement.ts'
import { holdingColumns, holdingColumnsOf, holdingsNotNull } from './holdings.sql.ts'

const factColumns = `id bigint, registry_expiry timestamptz, nameservers text[],
  epp_statuses text[], rgp_statuses text[], synced_at timestamptz, sync_at timestamptz,
  pending_transfer boolean, deleted boolean, deleted_at timestamptz, seen timestamptz,
  seen_synced_at timestamptz`

/** The columns of the holding `d` by the facts `f`. */
const stored = {
  registry_expiry: 'f.registry_expiry',
  nameservers: 'f.nameservers',
  epp_statuses: 'f.epp_statuses',
  rgp_statuses: 'f.rgp_statuses',
  locked: "('clientTransferProhibited' = any (f.epp_statuses))",
  transfer_out: 'case when f.pending_transfer then d.transfer_out end',
  deleted_at: 'case when f.deleted then coalesce(d.deleted_at, f.deleted_at) end',
  missing_since: 'null',
}
const assigned = Object.entries(stored)
  .map(([column, value]) => `${column} = ${value}`)
  .join(', ')
const differs = `(${Object.entries(stored)
  .map(([column, value]) => `d.${column} is distinct from ${value}`)
  .join(' or ')})`

// The client keeps milliseconds, the rows have microseconds.
const holdingAsSeen = `(f.seen is null or d.updated_at < f.seen + interval '1 millisecond')`
const scheduleAsSeen = `(f.seen is null
  or date_trunc('milliseconds', s.synced_at) is not distinct from f.seen_synced_at)`
const returned = holdingColumnsOf('d', 'f.synced_at')

/**
 * The statements that follow the facts and the holdings `known` that are as they were seen: a
 * holding is written where facts differ, under the lock of `locked`; where none does, its schedule
 * alone. Schedules of the former are looked at again under a lock: another reading that found
 * nothing new has written the schedule alone.
 */
const store = ({ locked, unlocked, wait }: { locked: string; unlocked: string; wait: string }) =>
  `current as materialized (
     select s.domain_id as id
       from facts f join domain_schedules s on s.domain_id = f.id
      where s.domain_id = any (array(select a.id from ${locked} a where a.differs))
        and ${scheduleAsSeen}
        for no key update of s ${wait}
   ), changed as (
     update domains d set ${assigned}, updated_at = clock_timestamp()
       from facts f
      where d.id = any (array(select a.id from current a))
        and f.id = d.id and ${holdingAsSeen}
     returning ${returned}
   ), noted as (
     update domain_schedules s set synced_at = f.synced_at, sync_at = f.sync_at
       from facts f, known k
      where s.domain_id = k.id and f.id = k.id and ${scheduleAsSeen} and ${unlocked}
        and (not k.differs or exists (select from changed c where c.id = k.id))
     returning s.domain_id
   )
   select * from changed
   union all
   select ${returned}
     from domains d join facts f on f.id = d.id
    where d.id = any (array(select k.id from known k where not k.differs))
      and d.id in (select n.domain_id from noted n)`

/**
 * Stores what the registry shows of many holdings: [{id, registry_expiry, nameservers,
 * epp_statuses, rgp_statuses, synced_at, sync_at, pending_transfer, deleted, deleted_at, seen,
 * seen_synced_at}]. `expiry` (paid until) and the time of a deletion stay. `seen` and
 * `seen_synced_at` are the holding's updated_at and synced_at before the registry was asked: a
 * later write is newer than the answer, and stays. With null this is not compared. Holdings are
 * locked in the order of names, as the settlement of orders locks them. A locked schedule is
 * skipped, because another transaction that writes it is about to change its holding.
 */
export const storeReadingsOfMany = statement(
  'domains_refresh',
  `with facts as materialized (
     select * from jsonb_to_recordset(:batch::jsonb) as f (${factColumns})
   ), known as materialized (
     select d.id, ${differs} as differs
       from facts f
      cross join lateral (select h.* from domains h where h.id = f.id offset 0) d
      cross join lateral (
        select w.synced_at from domain_schedules w where w.domain_id = f.id offset 0) s
      where d.ended_at is null and ${holdingAsSeen} and ${scheduleAsSeen}
   ), locked as materialized (
     select d.id, true as differs
       from domains d
      where d.id = any (array(select k.id from known k where k.differs)) and d.ended_at is null
      order by d.name for update of d
   ), ${store({
     locked: 'locked',
     wait: 'skip locked',
     unlocked: `s.domain_id = any (array(
        select free.domain_id from domain_schedules free
         where free.domain_id = any (array(select a.id from known a))
           for no key update skip locked))`,
   })}`,
  { not_null: holdingsNotNull },
)

/** The same for one holding, found by its key, since a list is planned as if it had a hundred. */
export const storeReadingOfOne = statement(
  'domains_refresh_one',
  `with facts as materialized (
     select * from jsonb_to_record(:reading::jsonb) as f (${factColumns})
   ), known as materialized (
     select d.id, ${differs} as differs
       from facts f join domains d on d.id = f.id join domain_schedules s on s.domain_id = d.id
      where d.id = :id and d.ended_at is null and ${holdingAsSeen} and ${scheduleAsSeen}
        for no key update of d
   ), ${store({ locked: 'known', unlocked: 's.domain_id = :id', wait: '' })}`,
  { not_null: holdingsNotNull },
)

/** Notes a deletion, which was at `deleted_at` or before: its delete was sent or reported then. */
export const noteDeletion = statement(
  'domains_note_deletion',
  `update domains set deleted_at = least(deleted_at, :deleted_at), updated_at = clock_timestamp()
    where id = :id and ended_at is null
   returning ${holdingColumns}`,
)

/** Makes the sync due at `sync_at`; returns the holding as another process has written it. */
export const scheduleSync = statement(
  'domains_schedule_sync',
  `with due as (
     update domain_schedules set sync_at = least(sync_at, :sync_at) where domain_id = :id)
   select ${holdingColumns} from domains
    where id = :id and customer_id = :customer_id and ended_at is null`,
)

/** Notes that the registry did not know it at `missing_since`; it is asked again at `sync_at`. */
export const markMissing = statement(
  'domains_mark_missing',
  `with held as (
     update domains set missing_since = coalesce(missing_since, :missing_since),
            updated_at = clock_timestamp()
      where id = :id and customer_id = :customer_id and ended_at is null
     returning ${holdingColumns}
   ), due as (
     update domain_schedules s set sync_at = :sync_at from held h where s.domain_id = h.id)
   select * from held`,
)

/**
 * Locks a holding. Later queries of the transaction see all changes made under the lock
 * before.
 */
export const lockHolding = statement(
  'domains_lock',
  `select id from domains where id = :id and ended_at is null for update`,
)

/** Stores the pending transfer of a held name to another registrar, or null if there is none. */
export const noteTransferOut = statement(
  'domains_note_transfer_out',
  `update domains set transfer_out = :transfer_out, updated_at = clock_timestamp()
    where name = :name and ended_at is null returning customer_id`,
  { nullable: ['transfer_out'] },
)
