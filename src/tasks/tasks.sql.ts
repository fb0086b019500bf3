// SQL of schedules, leases and heartbeats.
import { statement } from '../db/statement.ts'

export const putSchedule = statement(
  'jobs_put_schedule',
  `insert into schedules (name, every_ms) values ($1, $2)
   on conflict (name) do update set every_ms = excluded.every_ms
     where schedules.every_ms <> excluded.every_ms`,
)

/**
 * Takes job $1 for $2 ms if nobody has it and it is due, or $3 (woken) says not to wait. One row:
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
 * Jobs that failed at their last run, and those that nobody has run for three intervals (and 5 s)
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

export const notifyChannel = statement('jobs_notify', `select pg_notify($1, '')::text as sent`, {
  not_null: ['sent'],
})
