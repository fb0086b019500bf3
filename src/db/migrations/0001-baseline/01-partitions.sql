-- The tables that are partitioned by time, as make_partitioned registers them. Before the roles,
-- whose grants name these two.
create table partitioned_tables (
  name name primary key,
  -- Prefix of the ids that the ranges are of, which begin with their time (src/kit/random.ts);
  -- null: the ranges are of timestamps.
  id_prefix text,
  -- Months in a partition that is made from now on: a divisor of 12.
  months integer not null default 3 check (months > 0 and 12 % months = 0),
  -- Free space in the pages of its partitions.
  fillfactor integer not null default 100,
  -- Whether a partition that a purge has emptied is dropped.
  drops_empty boolean not null
);

-- Their partitions but the default ones, which hold what no range takes.
create table partitions (
  name name primary key,
  parent name not null references partitioned_tables (name),
  -- Null: from the beginning of time.
  starts_at timestamptz,
  ends_at timestamptz not null,
  constraint partitions_follow unique (parent, ends_at)
);
