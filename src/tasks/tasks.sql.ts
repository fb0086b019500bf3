// SQL of the task queue, and of schedules and heartbeats.
import { type Row, statement } from '../db/statement.ts'

export const putSchedule = statement(
  'jobs_put_schedule',
  `insert into schedules (name, every_ms) values ($1, $2)
   on conflict (name) do update set every_ms = excluded.every_ms
     where schedules.every_ms <> excluded.every_ms`,
)

/**
 * Claims job $1 for $2 ms if it is free and due, or $3 (woken) says not to wait. One row:
 * the token, or null and the milliseconds until it may be worth asking again. No row: the schedule
 * is gone.
 */
export const claimJob = statement(
  'jobs_claim',
  `with claimed as (
     update schedules
        set lease_until = clock_timestamp() + $2::int * interval '1 millisecond',
            lease_token = lease_token + 1, last_started_at = clock_timestamp()
      where name = $1 and (lease_until is null or lease_until <= clock_timestamp())
        and (next_at <= clock_timestamp() or $3::boolean)
     returning lease_token)
   select claimed.lease_token as token,
          greatest(0, extract(epoch from
            greatest(s.next_at, s.lease_until) - clock_timestamp()) * 1000)::float8 as wait_ms
     from schedules s left join claimed on true where s.name = $1`,
  { not_null: ['wait_ms'] },
)

/** Keeps the claim for $3 ms more; no row when it is another's by now. */
export const renewLease = statement(
  'jobs_renew_lease',
  `update schedules set lease_until = clock_timestamp() + $3::int * interval '1 millisecond'
    where name = $1 and lease_token = $2 and lease_until is not null
   returning lease_token`,
)

/** Gives the claim back: due again in $3 ms. $4: why it failed, or null. */
export const finishJob = statement(
  'jobs_finish',
  `update schedules
      set lease_until = null, next_at = clock_timestamp() + $3::int * interval '1 millisecond',
          last_finished_at = clock_timestamp(), last_error = $4::text,
          failures = case when $4::text is null then 0 else failures + 1 end
    where name = $1 and lease_token = $2
   returning name`,
  { nullable: [4] },
)

export const beat = statement(
  'jobs_beat',
  `insert into worker_heartbeats (node_id) values ($1)
   on conflict (node_id) do update set at = clock_timestamp()`,
)

export const endBeats = statement(
  'jobs_end_beats',
  `delete from worker_heartbeats where node_id = $1 or at < clock_timestamp() - interval '1 hour'`,
)

/**
 * Deletes schedules of no job in $1 that no node runs any more: they are of another version, whose
 * last node has gone. Sooner than readTroubledJobs takes one for overdue, at each heartbeat.
 */
export const purgeSchedules = statement(
  'jobs_purge_schedules',
  `delete from schedules
    where name <> all ($1::text[]) and coalesce(lease_until <= clock_timestamp(), true)
      and next_at + 2 * every_ms * interval '1 millisecond' < clock_timestamp()`,
)

/** Nodes that lived within the last $1 ms, and the age of the newest sign of any. */
export const readBeats = statement(
  'jobs_read_beats',
  `select count(*) filter (
            where at > clock_timestamp() - $1::int * interval '1 millisecond') as nodes,
          (extract(epoch from clock_timestamp() - max(at)) * 1000)::float8 as newest_age_ms
     from worker_heartbeats`,
  { not_null: ['nodes'] },
)

/**
 * Jobs that failed at their last run, and those that no node has run for three intervals (and 5 s)
 * past their time.
 */
export const readTroubledJobs = statement(
  'jobs_read_troubled',
  `select name, failures, late and free as overdue
     from schedules,
          lateral (select
            next_at + 3 * every_ms * interval '1 millisecond' + interval '5 seconds'
              < clock_timestamp() as late,
            coalesce(lease_until <= clock_timestamp(), true) as free) as at_once
    where failures > 0 or late and free
    order by name`,
  { not_null: ['overdue'] },
)

/**
 * Enqueues a task: $1 kind, $2 key, $3 bulkhead, $4 payload, $5 when (null: now), $6 what a task
 * of the same kind and key becomes (migration 0050).
 */
export const enqueueTask = statement(
  'tasks_enqueue',
  `select tasks_enqueue($1, $2, $3, $4, coalesce($5, clock_timestamp()), $6)::text as enqueued`,
  { nullable: [5], writes: true },
)

/**
 * Claims up to $6 due tasks of the kind $3 in the bulkhead $4 under the token $1 for $2 ms, oldest
 * first. Due at $5, or by the database's clock if that is null.
 */
export const claimTasks = statement(
  'tasks_claim',
  `update tasks
      set lease_token = $1, lease_until = clock_timestamp() + $2::int * interval '1 millisecond'
    where id = any (array(
      select id from tasks
       where kind = $3 and bulkhead = $4 and dead_at is null
         and run_at <= coalesce($5, statement_timestamp())
         and (lease_until is null or lease_until <= statement_timestamp())
       order by run_at limit $6::int for update skip locked))
   returning id, key, payload, version, attempts`,
  { nullable: [5] },
)
export type ClaimedTask = Row<'tasks_claim'>

/**
 * Keeps the claims $1 of the token $2 for $3 ms more. A row that is locked at this moment keeps the
 * lease that it has, until the next renewal.
 */
export const renewTasks = statement(
  'tasks_renew',
  `update tasks set lease_until = clock_timestamp() + $3::int * interval '1 millisecond'
    where id = any (array(
      select id from tasks where id = any ($1::bigint[]) and lease_token = $2
         for no key update skip locked))
   returning id`,
)

/**
 * The task $1, claimed by the token $2 in version $3, is done: deleted, or due by its own time
 * where it was enqueued again meanwhile, also by a transaction that commits while this statement
 * waits for it. No row: the claim is another's.
 */
export const completeTask = statement(
  'tasks_complete',
  `with held as materialized (
     select id, version from tasks where id = $1 and lease_token = $2 for update
   ), gone as (
     delete from tasks t using held h where t.id = h.id and h.version = $3 returning t.id
   ), again as (
     update tasks t set lease_token = null, lease_until = null, attempts = 0, last_error = null
       from held h where t.id = h.id and h.version <> $3
     returning t.id)
   select id from gone union all select id from again`,
  { not_null: ['id'] },
)

/**
 * The attempt of the task $1, claimed by the token $2 in version $3, failed: due again $4 ms after
 * $5 (null: after now), with $6 more attempts; $7 says why. $8: it is dead. One that was enqueued
 * again meanwhile keeps its own time and lives. No row: the claim is another's.
 */
export const failTask = statement(
  'tasks_fail',
  `update tasks
      set lease_token = null, lease_until = null, attempts = attempts + $6::int, last_error = $7,
          run_at = case when version = $3
            then coalesce($5, clock_timestamp()) + $4::int * interval '1 millisecond'
            else run_at end,
          dead_at = case when version = $3 and $8::boolean then clock_timestamp() end
    where id = $1 and lease_token = $2
   returning id`,
  { nullable: [5] },
)

/** Dead letters of the last day, by kind. */
export const countDead = statement(
  'tasks_count_dead',
  `select kind, count(*) as dead from tasks_dead
    where dead_at > clock_timestamp() - interval '1 day' group by kind order by kind`,
  { not_null: ['kind', 'dead'] },
)
