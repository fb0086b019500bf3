-- Windows of request quotas. Unlogged: a crash begins a new window.
create unlogged table rate_limits (
  key text primary key,
  window_start bigint not null,
  used integer not null,
  granted integer not null
) with (fillfactor = 50);
create index rate_limits_to_purge on rate_limits (window_start);

-- The right to one session at a registry, whose sessions are numbered from 1 to the budget. A node
-- renews its rows together; an expired lease is free.
create table session_leases (
  registry text not null,
  number integer not null check (number > 0),
  -- Distinguishes this lease from every other of the same number.
  lease_id bigint generated always as identity,
  node text not null,
  taken_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null,
  primary key (registry, number)
) with (fillfactor = 50);

-- A node that wants more sessions than were free. Nodes are served in the order of `since`.
create unlogged table session_lease_waits (
  registry text not null,
  node text not null,
  since timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null,
  primary key (registry, node)
) with (fillfactor = 50);

-- The simulated registries' calendar.
create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  -- How far the registries' time is ahead of the system's.
  offset_ms bigint not null default 0,
  updated_at timestamptz not null default clock_timestamp()
);
insert into sandbox_clock default values;
