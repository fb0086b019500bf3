-- Who runs which job, and when it is next due. A row whose lease is over is free, whoever held it.
create table schedules (
  name text primary key,
  every_ms integer not null check (every_ms > 0),
  next_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz,
  lease_token bigint not null default 0,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_error text,
  failures integer not null default 0
) with (fillfactor = 50);

create table worker_heartbeats (
  node_id text primary key,
  started_at timestamptz not null default clock_timestamp(),
  at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
