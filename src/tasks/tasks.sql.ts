// SQL of the task queue, and of schedules and heartbeats.
import { leaseEnd, type Row, statement } from '../db/statement.ts'

/**
 * Inserts the schedules of all jobs at once, always in the order of their names, since nodes start
 * at the same time.
 */
export const putSchedules = statement(
  'jobs_put_schedules',
  `insert into schedules (name, every_ms)
   select job.name, job.every_ms
     from unnest(:names::text[], :every_ms::int[]) as job (name, every_ms)
    order by job.name
   on conflict (name) do update set every_ms = excluded.every_ms
     where schedules.every_ms <> excluded.every_ms`,
)

/**
 * Claims a job if it is free and due, or `woken`, which does not wait for its time. The row has the
 * token, or null and the milliseconds until it is worth asking again. There is no row if the
 * schedule is deleted.
 */
export const claimJob = statement(
  'jobs_claim',
  `with claimed as (
     update schedules
        set lease_until = ${leaseEnd},
            lease_token = lease_token + 1, last_started_at = clock_timestamp()
      where name = :name and (lease_until is null or lease_until <= clock_timestamp())
        and (next_at <= clock_timestamp() or :woken::boolean)
     returning lease_token)
   select claimed.lease_token as token,
          greatest(0, extract(epoch from
            greatest(s.next_at, s.lease_until) - clock_timestamp()) * 1000)::float8 as wait_ms
     from schedules s left join claimed on true where s.name = :name`,
  { not_null: ['wait_ms'] },
)

/** Keeps the claim for `lease_ms` more. Returns no row if another worker has taken it over. */
export const renewLease = statement(
  'jobs_renew_lease',
  `update schedules set lease_until = ${leaseEnd}
    where name = :name and lease_token = :lease_token and lease_until is not null
   returning lease_token`,
)

/**
 * Gives the claim back; the job is due again in `in_ms`. `last_error` is null if it did not fail.
 */
export const finishJob = statement(
  'jobs_finish',
  `update schedules
      set lease_until = null, next_at = clock_timestamp() + :in_ms::int * interval '1 millisecond',
          last_finished_at = clock_timestamp(), last_error = :last_error::text,
          last_succeeded_at = case when :last_error::text is null then clock_timestamp()
                                   else last_succeeded_at end,
          failures = case when :last_error::text is null then 0 else failures + 1 end
    where name = :name and lease_token = :lease_token
   returning name`,
  { nullable: ['last_error'] },
)

export const sendHeartbeat = statement(
  'jobs_send_heartbeat',
  `insert into worker_heartbeats (node_id, job_problems) values (:node_id, :job_problems)
   on conflict (node_id)
   do update set at = clock_timestamp(), job_problems = excluded.job_problems`,
)

export const deleteHeartbeat = statement(
  'jobs_delete_heartbeat',
  `delete from worker_heartbeats
    where node_id = :node_id or at < clock_timestamp() - interval '1 hour'`,
)

/**
 * Deletes schedules of no job in `names` that no node runs any more: they are of another version,
 * whose last node has gone. It runs at each heartbeat, sooner than readFailingJobs takes one for
 * overdue.
 */
export const purgeSchedules = statement(
  'jobs_purge_schedules',
  `delete from schedules
    where name <> all (:names::text[]) and coalesce(lease_until <= clock_timestamp(), true)
      and next_at + 2 * every_ms * interval '1 millisecond' < clock_timestamp()`,
)

/**
 * The number of nodes with a heartbeat within the last `within_ms`, and the age of the newest
 * heartbeat.
 */
export const readHeartbeats = statement(
  'jobs_read_heartbeats',
  `select count(*) filter (
            where at > clock_timestamp() - :within_ms::int * interval '1 millisecond') as nodes,
          (extract(epoch from clock_timestamp() - max(at)) * 1000)::float8 as newest_age_ms
     from worker_heartbeats`,
  { not_null: ['nodes'] },
)

/**
 * Jobs that failed at their last run, and those that no node has run for three intervals (and 5 s)
 * past their time. Per-node jobs are those that nodes with a heartbeat within the last `within_ms`
 * report.
 */
export const readFailingJobs = statement(
  'jobs_read_failing',
  `select name, failures, late and free as overdue
     from schedules,
          lateral (select
            next_at + 3 * every_ms * interval '1 millisecond' + interval '5 seconds'
              < clock_timestamp() as late,
            coalesce(lease_until <= clock_timestamp(), true) as free) as at_once
    where failures > 0 or late and free
   union all
   select t.name, max(t.failures), bool_or(t.overdue)
     from worker_heartbeats b
    cross join lateral jsonb_to_recordset(b.job_problems)
            as t (name text, failures integer, overdue boolean)
    where b.at > clock_timestamp() - :within_ms::int * interval '1 millisecond'
    group by t.name
    order by name`,
  { not_null: ['name', 'failures', 'overdue'] },
)

/** `run_at` is null for now. `existing` decides about an existing task of the same kind and key. */
export const enqueueTask = statement(
  'tasks_enqueue',
  `select tasks_enqueue(:kind, :key, :bulkhead, :payload, coalesce(:run_at, clock_timestamp()),
                        :existing)::text as enqueued
     from (select set_config('agent_registrar.traceparent', :traceparent, true) as noted) t
    where noted is not null`,
  { nullable: ['run_at'], writes: true },
)

/**
 * Whether no worker has it. A lease that expired is followed by a pause of a fifth of a lease, four
 * times as long with each further loss (1, 4, 16, 64 s): a task that ends its process must not end
 * each node again as soon as that has started.
 */
const freeAfter = (lease_ms: string) =>
  `(lease_until is null or lease_until + ${lease_ms} / 5 * interval '1 millisecond'
             * power(4, least(lost_leases, 8)) <= statement_timestamp())`
const free = freeAfter(':lease_ms::int')
/** How long a claim outlives a worker that died, unless its kind states it. */
export const usual_lease_ms = 5_000

const lease = `lease_token = :lease_token,
          lease_until = ${leaseEnd},
          attempts = attempts + (lease_token is not null)::int,
          lost_leases = lost_leases + (lease_token is not null)::int`
const claimed = 'id, key, payload, version, attempts, lost_leases, traceparent'

/**
 * Claims up to `limit` tasks of a kind in a bulkhead that are due at `now`, or by the database's
 * clock if that is null, oldest first. A lease that expired counts as an attempt. Of the tasks that
 * lost a lease before, one alone is added: if it kills its worker, it does not take the others
 * along.
 */
export const claimTasks = statement(
  'tasks_claim',
  `with due as materialized (
     select id from tasks
      where kind = :kind and bulkhead = :bulkhead and dead_at is null and lost_leases = 0
        and run_at <= coalesce(:now, statement_timestamp())
        and ${free}
      order by run_at limit :limit::int for update skip locked
   ), suspect as materialized (
     select id from tasks
      where kind = :kind and bulkhead = :bulkhead and dead_at is null and lost_leases > 0
        and run_at <= coalesce(:now, statement_timestamp())
        and ${free}
      order by run_at limit 1 for update skip locked)
   update tasks
      set ${lease}
    where id = any (array(select id from due union all select id from suspect))
   returning ${claimed}`,
  { nullable: ['now'] },
)

/**
 * The kinds among these with a task that is due and not leased. A skip scan reads the index once
 * for each kind and bulkhead, however many tasks wait for later.
 */
export const dueKinds = statement(
  'tasks_due_kinds',
  `with recursive queues as (
     (select kind, bulkhead from tasks where dead_at is null order by kind, bulkhead limit 1)
     union all
     select next.kind, next.bulkhead
       from queues
      cross join lateral (
        select kind, bulkhead from tasks t
         where dead_at is null and (t.kind, t.bulkhead) > (queues.kind, queues.bulkhead)
         order by kind, bulkhead limit 1) next)
   select distinct kind from queues
    where kind = any (:kinds::text[]) and exists (
      select from tasks t
       where t.kind = queues.kind and t.bulkhead = queues.bulkhead and dead_at is null
         and run_at <= statement_timestamp()
         and ${freeAfter(String(usual_lease_ms))})`,
  { not_null: ['kind'] },
)

/** Claims the task with a key, also before its time, but not in the pause after a lost lease. */
export const claimTask = statement(
  'tasks_claim_one',
  `update tasks
      set ${lease}
    where kind = :kind and key = :key and bulkhead = :bulkhead and dead_at is null
      and ${free}
   returning ${claimed}`,
)
export type ClaimedTask = Row<'tasks_claim'>

/**
 * Keeps the claims of a token for `lease_ms` more. A row that is locked at this moment keeps the
 * lease that it has, until the next renewal.
 */
export const renewTasks = statement(
  'tasks_renew',
  `update tasks set lease_until = ${leaseEnd}
    where id = any (array(
      select id from tasks where id = any (:ids::bigint[]) and lease_token = :lease_token
         for no key update skip locked))
   returning id`,
)

/**
 * Ends a task that the token claimed in this version. It is deleted, or due at its own time if it
 * was enqueued again meanwhile, also by a transaction that commits while this statement waits for
 * it. Returns no row if another worker has the claim.
 */
export const completeTask = statement(
  'tasks_complete',
  `with held as materialized (
     select id, version from tasks where id = :id and lease_token = :lease_token for update
   ), gone as (
     delete from tasks t using held h where t.id = h.id and h.version = :version returning t.id
   ), again as (
     update tasks t set lease_token = null, lease_until = null, attempts = 0, lost_leases = 0,
            last_error = null
       from held h where t.id = h.id and h.version <> :version
     returning t.id)
   select id from gone union all select id from again`,
  { not_null: ['id'] },
)

/**
 * Notes a failed attempt of a task that the token claimed in this version. It is due again `in_ms`
 * after `now` (the database's time, if that is null), with `attempts` more counted, or never again
 * if `dead`. A task that was enqueued again meanwhile keeps its own time and lives. Returns no row
 * if another worker has the claim.
 */
export const failTask = statement(
  'tasks_fail',
  `update tasks
      set lease_token = null, lease_until = null, attempts = attempts + :attempts::int,
          lost_leases = 0, last_error = :last_error,
          run_at = case when version = :version
            then coalesce(:now, clock_timestamp()) + :in_ms::int * interval '1 millisecond'
            else run_at end,
          dead_at = case when version = :version and :dead::boolean then clock_timestamp() end
    where id = :id and lease_token = :lease_token
   returning id`,
  { nullable: ['now'] },
)

/** The number of dead letters of the last day, by kind. */
export const countDead = statement(
  'tasks_count_dead',
  `select kind, count(*) as dead from tasks_dead
    where dead_at > clock_timestamp() - interval '1 day' group by kind order by kind`,
  { not_null: ['kind', 'dead'] },
)
