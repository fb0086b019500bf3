create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  -- How far the registries' time is ahead of the system's.
  offset_ms bigint not null default 0,
  updated_at timestamptz not null default clock_timestamp()
);
insert into sandbox_clock default values;
