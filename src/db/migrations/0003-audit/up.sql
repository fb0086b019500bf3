create table audit_logs (
  id bigint generated always as identity primary key,
  -- The transaction that wrote it: the sealer's order, and how it knows that no earlier row can
  -- still appear.
  xid xid8 not null default pg_current_xact_id(),
  entry_point text not null
    check (entry_point in ('rest', 'mcp', 'dashboard', 'internal', 'job', 'cli', 'webhook')),
  action text not null,
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
  row_hash bytea not null check (length(row_hash) = 32)
);
create index audit_logs_in_order on audit_logs (xid, id);
create index audit_logs_of_customer on audit_logs (customer_id, id desc)
  where customer_id is not null;
create index audit_logs_of_domain on audit_logs (customer_id, target, id desc)
  where target_type = 'domain';
select make_append_only('audit_logs');

-- Stores one row as it was hashed, in the caller's own transaction; answers its id.
create function audit_append(entry jsonb) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  new_id bigint;
begin
  insert into audit_logs (
    entry_point, action, actor_type, actor_label, agent_identifier, api_key_id, customer_id,
    target_type, target, result, status_code, error_code, metadata, created_at, row_hash)
  values (
    entry->>'entry_point', entry->>'action', entry->>'actor_type', entry->>'actor_label',
    entry->>'agent_identifier', (entry->>'api_key_id')::bigint, entry->>'customer_id',
    entry->>'target_type', entry->>'target', entry->>'result', (entry->>'status_code')::integer,
    entry->>'error_code', entry->'metadata', (entry->>'created_at')::timestamptz,
    decode(entry->>'row_hash', 'hex'))
  returning id into new_id;
  return new_id;
end $$;

-- A block seals the rows after (from_xid, from_id) up to (to_xid, to_id), in that order, whose id
-- is first_id or more and less than the next era's.
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
