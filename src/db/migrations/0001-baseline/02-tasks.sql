-- Schedules of periodic jobs: at most one node runs each, under a lease.
create table schedules (
  name text primary key,
  every_ms integer not null check (every_ms > 0),
  next_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz,
  lease_token bigint not null default 0,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_succeeded_at timestamptz,
  last_error text,
  failures integer not null default 0
) with (fillfactor = 50);

create table worker_heartbeats (
  node_id text primary key,
  started_at timestamptz not null default clock_timestamp(),
  at timestamptz not null default clock_timestamp(),
  -- Per-node jobs that failed at their last run, or whose round does not end.
  job_problems jsonb not null default '[]'
) with (fillfactor = 50);

-- The durable task queue: one row for each task, enqueued in the transaction of its reason.
create table tasks (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
  -- Unique for each kind: what the task is about.
  key text not null check (length(key) between 1 and 400),
  -- Tasks of one kind are claimed bulkhead by bulkhead: the registry, or empty.
  bulkhead text not null default '',
  payload jsonb not null default '{}',
  -- Counts up when the key is enqueued again. The end of an earlier version leaves the row due.
  version integer not null default 1,
  -- By the clock of its kind: the database's, or the registries' calendar.
  run_at timestamptz not null default clock_timestamp(),
  -- Failed ones since it was enqueued, and those whose lease expired.
  attempts integer not null default 0,
  -- Leases that expired in a row: the worker died in each of these attempts.
  lost_leases integer not null default 0,
  -- By the database's clock.
  lease_until timestamptz,
  lease_token text,
  last_error text,
  created_at timestamptz not null default clock_timestamp(),
  -- Dead letter: its attempts are used up, or it can never succeed.
  dead_at timestamptz,
  -- W3C traceparent of the work that enqueued it, where that is traced.
  traceparent text default nullif(current_setting('agent_registrar.traceparent', true), ''),
  constraint tasks_once unique (kind, key)
) with (fillfactor = 70);
create index tasks_due on tasks (kind, bulkhead, run_at) where dead_at is null;
-- Those that lost a lease before, which are claimed alone.
create index tasks_suspect on tasks (kind, bulkhead, run_at)
  where dead_at is null and lost_leases > 0;
create index tasks_dead_letters on tasks (dead_at) where dead_at is not null;

create view tasks_dead with (security_invoker = true) as
  select id, kind, key, bulkhead, attempts, last_error, created_at, dead_at
    from tasks where dead_at is not null;
