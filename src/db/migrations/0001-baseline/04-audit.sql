create table audit_logs (
  -- Unique by its sequence alone, as the primary key needs the column of the partitions as well:
  -- the service may not insert a value of its own.
  id bigint generated always as identity,
  -- The transaction that wrote it: the order of sealing, and how the sealer knows that no earlier
  -- row can still appear.
  xid xid8 not null default pg_current_xact_id(),
  entry_point text not null
    check (entry_point in ('rest', 'mcp', 'dashboard', 'internal', 'job', 'cli', 'webhook')),
  action text not null check (action <> ''),
  actor_type text not null
    check (actor_type in
      ('customer', 'api_key', 'oauth_client', 'operator', 'system', 'anonymous')),
  actor_label text,
  agent_identifier text not null,
  -- No foreign keys: the log outlives what it is about.
  api_key_id bigint,
  customer_id text,
  target_type text,
  target text,
  result text not null check (result in ('success', 'denied', 'failed', 'pending', 'unknown')),
  status_code integer,
  error_code text,
  metadata jsonb not null check (jsonb_typeof(metadata) = 'object'),
  created_at timestamptz(3) not null,
  row_hash bytea not null check (length(row_hash) = 32),
  primary key (id, created_at)
) partition by range (created_at);
create index audit_logs_in_order on audit_logs (xid, id);
-- Pages of an account's log. Each index is for the one statement that states its predicates: those
-- that are always true (<> '') keep the planner from an index whose rows it would filter. In a
-- partition of few rows that looks as cheap, and reads the whole account.
create index audit_logs_of_customer on audit_logs (customer_id, id desc)
  where customer_id is not null and entry_point <> '';
create index audit_logs_of_domain on audit_logs (customer_id, target, id desc)
  where target_type = 'domain';
-- By action (of one entry point, or merged over all), and by entry point.
create index audit_logs_of_customer_by_action
  on audit_logs (customer_id, action, entry_point, id desc) where customer_id is not null;
create index audit_logs_of_customer_by_entry_point
  on audit_logs (customer_id, entry_point, id desc)
  where customer_id is not null and action <> '';
-- Windows of a time, or filtered by actor.
create index audit_logs_of_customer_by_time on audit_logs (customer_id, created_at desc, id desc)
  where customer_id is not null and result <> '';
-- Actions on domains: all, of a time, and of an action.
create index audit_logs_of_domains
  on audit_logs (customer_id, id desc) where target_type = 'domain' and action <> '';
create index audit_logs_of_domains_by_time on audit_logs (customer_id, created_at desc, id desc)
  where target_type = 'domain' and action <> '';
create index audit_logs_of_domains_by_action
  on audit_logs (customer_id, action, created_at desc, id desc) where target_type = 'domain';
select withhold_columns('audit_logs', defaults => '{id,xid}');
-- Never dropped: a partition is empty only before its time.
select make_partitioned('audit_logs', false);

-- The hash chain. A block seals the rows after (from_xid, from_id) up to (to_xid, to_id), in that
-- order, whose id is first_id or more and less than the next era's.
create table audit_blocks (
  number bigint primary key check (number >= 1),
  era integer not null check (era >= 1),
  first_id bigint not null,
  -- The greatest id of this and all earlier blocks.
  highest_id bigint not null,
  from_xid xid8 not null,
  from_id bigint not null,
  to_xid xid8 not null,
  to_id bigint not null,
  row_count integer not null check (row_count >= 1),
  merkle_root bytea not null check (length(merkle_root) = 32),
  previous_hash bytea not null unique check (length(previous_hash) = 32),
  key_id text not null,
  created_at timestamptz(3) not null,
  block_hash bytea not null unique check (length(block_hash) = 32),
  signature bytea not null check (length(signature) = 64),
  public_key bytea not null,
  unique (era, to_xid, to_id)
);
select make_append_only('audit_blocks');

-- An era is the time on one cluster: a dump restored elsewhere meets a transaction counter that
-- begins again.
create table audit_eras (
  era integer primary key check (era >= 1),
  first_id bigint not null unique,
  began_at timestamptz not null default clock_timestamp()
);
-- From the least bigint: no row may stand outside every era.
insert into audit_eras (era, first_id) values (1, -9223372036854775808);
select make_append_only('audit_eras');

-- A link of the chain beside the blocks: an operator's signed acceptance that the log goes on from
-- an older state. The numbers between previous_number and its own are never used again.
create table audit_restorations (
  number bigint primary key check (number >= 1),
  era integer not null unique check (era >= 1),
  first_id bigint not null,
  previous_number bigint not null check (previous_number >= 0 and previous_number < number),
  previous_hash bytea not null check (length(previous_hash) = 32),
  -- The newest link that had been noted, which the database has no longer.
  lost_number bigint not null check (lost_number < number),
  lost_hash bytea not null check (length(lost_hash) = 32),
  reason text not null check (reason <> ''),
  key_id text not null,
  created_at timestamptz(3) not null,
  record_hash bytea not null unique check (length(record_hash) = 32),
  signature bytea not null check (length(signature) = 64),
  public_key bytea not null
);
select make_append_only('audit_restorations', false);

-- The archives of partitions that were dropped: all that verification needs of rows that are no
-- longer here. Signed, so that a row cannot be declared archived without the key.
create table audit_archives (
  -- The partition's; the file is NAME.jsonl.gz, in whatever folder.
  name text primary key check (name ~ '^[a-z0-9_]+$'),
  -- Null: from the beginning of time.
  starts_at timestamptz(3),
  ends_at timestamptz(3) not null,
  row_count bigint not null check (row_count >= 0),
  -- The least and the greatest id; null without rows.
  first_id bigint,
  last_id bigint,
  -- The first and the last block that seal rows of it; null without rows.
  first_block bigint,
  last_block bigint,
  -- Ranges of blocks all of whose rows are in it: [{"from", "to"}].
  whole_blocks jsonb not null,
  -- Blocks that also seal rows of other partitions: [{"number", "row_count", "merkle_root"}], each
  -- with count and Merkle root of its archived rows.
  partial_blocks jsonb not null,
  -- Over all archived rows, in the order of the chain.
  merkle_root bytea not null check (length(merkle_root) = 32),
  -- Of the file.
  sha256 bytea not null check (length(sha256) = 32),
  key_id text not null,
  created_at timestamptz(3) not null,
  record_hash bytea not null unique check (length(record_hash) = 32),
  signature bytea not null check (length(signature) = 64),
  public_key bytea not null
);
select make_append_only('audit_archives', false);

-- The hashes of archived rows in blocks that also seal rows of other partitions: with them such a
-- block is verified, and a row that stayed keeps its inclusion proof.
create table audit_archived_leaves (
  -- Of the block.
  number bigint not null,
  xid xid8 not null,
  id bigint not null,
  archive text not null references audit_archives (name),
  row_hash bytea not null check (length(row_hash) = 32),
  primary key (number, xid, id)
);
select make_append_only('audit_archived_leaves', false);

-- Findings of the verification. A row counts while it is seen again and again; it stays.
create table audit_alarms (
  subject text primary key,
  -- Whether blocks may be sealed meanwhile.
  stops_sealing boolean not null,
  detail text not null,
  raised_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);

-- A row of the log, as audit_append_all takes it.
create type audit_entry as (
  entry_point text, action text, actor_type text, actor_label text, agent_identifier text,
  api_key_id bigint, customer_id text, target_type text, target text, result text,
  status_code integer, error_code text, metadata jsonb, created_at timestamptz, row_hash text);
