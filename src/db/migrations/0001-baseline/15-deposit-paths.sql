-- Deposit addresses of EVM chains: the path below the operator's extended public key that a
-- checkout is paid to. No path is given to two checkouts, not even after an old dump was restored:
-- then the indexes that were used since the dump are unknown, and a new branch begins.
create table deposit_branches (
  -- The time at which it began, in seconds: later than each branch that a dump does not know.
  branch integer primary key check (branch >= 0),
  -- The start of the database server, and the ids of database and table: each restore changes one.
  server_started_at timestamptz not null,
  database_id oid not null,
  table_id oid not null,
  next_index integer not null default 0 check (next_index >= 0),
  constraint deposit_branches_of_server unique (server_started_at, database_id, table_id)
);
select make_append_only('deposit_branches', false);

create table deposit_paths (
  checkout_id text primary key,
  branch integer not null references deposit_branches (branch),
  address_index integer not null check (address_index >= 0),
  created_at timestamptz not null default clock_timestamp(),
  constraint deposit_paths_once unique (branch, address_index)
);
select make_append_only('deposit_paths', false);
