-- compatible from: 0023

-- A link of the chain beside the blocks: an operator's signed acceptance that the log goes on from
-- an older state. The numbers between previous_number and its own are given up for good.
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

-- What a node found wrong with the log. A row counts while it is seen again and again; it stays.
create table audit_alarms (
  subject text primary key,
  -- Whether blocks may be sealed meanwhile.
  stops_sealing boolean not null,
  detail text not null,
  raised_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);
