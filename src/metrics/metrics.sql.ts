// SQL of the metrics that are read from the database. Each statement counts what is open, due or
// parked by a partial index, and no more of it than `most`: closed orders, ended tasks and posted
// transfers are never read.
import { statement } from '../db/statement.ts'

/**
 * Lets one node read, at most once in `every_ms`. If no row is returned, another node has read or
 * is reading. The newest snapshot stays readable meanwhile.
 */
export const claimSnapshot = statement(
  'metrics_claim_snapshot',
  `insert into metric_snapshots as s (claimed_at) values (clock_timestamp())
   on conflict (is_only) do update set claimed_at = excluded.claimed_at
     where s.claimed_at <= clock_timestamp() - :every_ms::int * interval '1 millisecond'
   returning claimed_at`,
)

export const storeSnapshot = statement(
  'metrics_store_snapshot',
  'update metric_snapshots set taken_at = clock_timestamp(), samples = :samples',
)

export const readSnapshot = statement(
  'metrics_read_snapshot',
  `select samples, extract(epoch from clock_timestamp() - taken_at)::float8 as age_s
     from metric_snapshots where taken_at is not null`,
  { not_null: ['samples', 'age_s'] },
)

/** Each open order has a hold of its amount (invariant I5). */
export const openOrders = statement(
  'metrics_open_orders',
  `select state, currency, count(*) as orders, count(alarm) as alarms,
          sum(amount)::bigint as amount,
          extract(epoch from clock_timestamp() - min(created_at))::float8 as oldest_s
     from (select state, currency, alarm, amount, created_at from orders
            where closed_at is null limit :most) o
    group by state, currency`,
  { not_null: ['state', 'currency', 'orders', 'alarms', 'amount', 'oldest_s'] },
)

export const parkedPayments = statement(
  'metrics_parked_payments',
  `select (select count(*) from (select from checkout_payments where treatment = 'parked'
                                  limit :most) p) as gateway,
          (select count(*) from (select from card_checkouts where status = 'parked'
                                  limit :most) c) as card,
          (select count(*) from (select from card_readings where parked_cents <> settled_cents
                                  limit :most) r) as card_reversals`,
  { not_null: ['gateway', 'card', 'card_reversals'] },
)

/**
 * Tasks that are due and not leased, by kind: how many there are, and how late the oldest is. It is
 * a skip scan like `tasks_due_kinds`, for kinds that are timed by the database's clock and by the
 * calendar alike.
 */
export const dueTasks = statement(
  'metrics_due_tasks',
  `with recursive queues as (
     (select kind, bulkhead from tasks where dead_at is null order by kind, bulkhead limit 1)
     union all
     select next.kind, next.bulkhead
       from queues
      cross join lateral (
        select kind, bulkhead from tasks t
         where dead_at is null and (t.kind, t.bulkhead) > (queues.kind, queues.bulkhead)
         order by kind, bulkhead limit 1) next)
   select q.kind, sum(due.tasks)::bigint as tasks, max(due.late_s)::float8 as late_s
     from queues q
    cross join lateral (
      select count(*) as tasks,
             coalesce(extract(epoch from statement_timestamp() - min(d.run_at)), 0) as late_s
        from (select run_at from tasks t
               where t.kind = q.kind and t.bulkhead = q.bulkhead and t.dead_at is null
                 and t.run_at <= statement_timestamp()
                 and (t.lease_until is null or t.lease_until <= statement_timestamp())
               order by t.run_at limit :most) d) due
    group by q.kind`,
  { not_null: ['kind', 'tasks', 'late_s'] },
)

export const deadTasks = statement(
  'metrics_dead_tasks',
  `select kind, count(*) as tasks
     from (select kind from tasks_dead order by dead_at desc limit :most) d
    group by kind`,
  { not_null: ['kind', 'tasks'] },
)

/**
 * It is null if it has not run yet. `late_s` is the time past its due time during which no node has
 * it.
 */
export const jobStates = statement(
  'metrics_jobs',
  `select name, every_ms, failures,
          extract(epoch from clock_timestamp() - last_succeeded_at)::float8 as success_s,
          case when lease_until is null or lease_until <= clock_timestamp()
               then greatest(0, extract(epoch from clock_timestamp() - next_at))
               else 0 end::float8 as late_s
     from schedules`,
  { not_null: ['late_s'] },
)

/** Jobs that each node runs for itself, if one failed at its last run or does not end. */
export const failingNodeJobs = statement(
  'metrics_node_jobs',
  `select t.name, max(t.failures) as failures, bool_or(t.overdue) as overdue
     from worker_heartbeats b
    cross join lateral jsonb_to_recordset(b.job_problems)
            as t (name text, failures integer, overdue boolean)
    where b.at > clock_timestamp() - interval '15 seconds'
    group by t.name`,
  { not_null: ['name', 'failures', 'overdue'] },
)

export const failedMails = statement(
  'metrics_failed_mails',
  `select count(*) as mails
     from (select from mails
            where state = 'failed' and ended_at > statement_timestamp() - interval '1 day'
            limit :most) m`,
  { not_null: ['mails'] },
)

/**
 * `unsealed_s` is the age of the oldest audit row after the newest block, or null if all are
 * sealed.
 */
export const auditState = statement(
  'metrics_audit',
  `select h.number as head, extract(epoch from clock_timestamp() - h.created_at)::float8 as head_s,
          extract(epoch from clock_timestamp() - oldest.created_at)::float8 as unsealed_s,
          (select count(*) from audit_alarms
            where seen_at > clock_timestamp() - interval '30 seconds') as alarms
     from (select 1) as one
     left join lateral (select number, created_at, to_xid, to_id from audit_blocks
                         order by number desc limit 1) h on true
     left join lateral (
       select a.created_at from audit_logs a
        where (a.xid, a.id) > (coalesce(h.to_xid, '0'::xid8), coalesce(h.to_id, 0))
        order by a.xid, a.id limit 1) oldest on true`,
  { not_null: ['alarms'] },
)

export const registrySessions = statement(
  'metrics_registry_sessions',
  `select registry, count(*) as sessions from session_leases
    where lease_until > clock_timestamp() group by registry`,
  { not_null: ['sessions'] },
)

/** How long ago each gateway that continues from a cursor was last observed. */
export const gatewayObservations = statement(
  'metrics_gateways',
  `select gateway, extract(epoch from clock_timestamp() - observed_at)::float8 as age_s
     from gateway_cursors`,
  { not_null: ['age_s'] },
)

export const liveNodes = statement(
  'metrics_nodes',
  `select count(*) as nodes from worker_heartbeats
    where at > clock_timestamp() - interval '15 seconds'`,
  { not_null: ['nodes'] },
)

export const ledgerCheck = statement(
  'metrics_ledger_check',
  `select sound, differing, extract(epoch from clock_timestamp() - finished_at)::float8 as age_s,
          extract(epoch from finished_at - began_at)::float8 as took_s
     from ledger_checks`,
  { not_null: ['age_s', 'took_s'] },
)
