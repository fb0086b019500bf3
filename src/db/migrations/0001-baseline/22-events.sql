-- Events of customers: facts that are derived from the rows of the audit log, in the order of
-- their transactions, so that none is skipped and no writer waits (decision 60).
create table events (
  -- It begins with the time of its audit row, which the partitions go by.
  id text collate "C" primary key check (id ~ '^evt_[0-9a-hjkmnp-tv-z]{26}$'),
  -- Gapless over all customers, in the order in which events appear: the cursor of readers.
  pos bigint not null,
  customer_id text not null,
  type text not null check (type ~ '^[a-z_]+[.][a-z_]+$'),
  audit_log_id bigint not null,
  subject_type text not null,
  subject_id text not null,
  data jsonb not null check (jsonb_typeof(data) = 'object'),
  -- The audit row's.
  created_at timestamptz(3) not null
) partition by range (id);
create index events_of_customer on events (customer_id, pos);
create index events_of_customer_by_type on events (customer_id, type, pos);
select make_partitioned('events', true, 'evt');

-- How far the audit log has been read: one row, locked by the node that derives events.
create table event_cursor (
  one boolean primary key default true check (one),
  -- The place after the last row that was read.
  era integer not null,
  xid xid8 not null,
  id bigint not null,
  -- Of the newest event.
  pos bigint not null,
  -- Of the newest event that retention deleted.
  purged_pos bigint not null
);
insert into event_cursor (era, xid, id, pos, purged_pos) values (1, '0', 0, 0, 0);

-- Endpoints of customers that events are sent to (decision 61).
create table webhooks (
  id text primary key check (id ~ '^whk_[0-9a-hjkmnp-tv-z]{26}$'),
  customer_id text not null references customers (id),
  url text not null check (length(url) between 8 and 2000),
  -- Types, and families as "domain.*".
  types text[] not null check (cardinality(types) between 1 and 100),
  description text check (length(description) between 1 and 200),
  -- Encrypted, as it signs every delivery.
  sealed_secret text not null,
  -- Of the secret that it replaced, which signs as well until its time is over.
  sealed_previous_secret text,
  previous_until timestamptz,
  -- Null: events are sent. gone: it answered 410; failing: it failed for days; owner: turned off.
  disabled_because text check (disabled_because in ('owner', 'gone', 'failing')),
  -- Since its first failure after the last success.
  failing_since timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((sealed_previous_secret is null) = (previous_until is null))
) with (fillfactor = 80);
create index webhooks_of_customer on webhooks (customer_id, id);

-- An event on its way to an endpoint. Written with the event; sent by a task of its endpoint.
create table webhook_deliveries (
  id text collate "C" primary key check (id ~ '^dlv_[0-9a-hjkmnp-tv-z]{26}$'),
  -- No foreign keys: it is kept for a time after both are gone.
  webhook_id text not null,
  customer_id text not null,
  event_id text collate "C" not null,
  event_type text not null,
  -- Of the event: the order of first attempts.
  pos bigint not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- When it is sent next, while it is pending.
  next_at timestamptz not null,
  -- Of this round of attempts: it holds later events back for a minute.
  first_failed_at timestamptz,
  last_attempt_at timestamptz,
  -- Null: there was no response.
  last_status integer,
  -- Null: it was delivered, or not sent yet.
  last_error text check (length(last_error) between 1 and 200),
  duration_ms integer,
  created_at timestamptz(3) not null
) partition by range (id);
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, pos)
  include (next_at, first_failed_at) where state = 'pending';
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, id desc);
-- Those that were given up, of all endpoints, for operators.
create index webhook_deliveries_failed on webhook_deliveries (id) where state = 'failed';
select make_partitioned('webhook_deliveries', true, 'dlv', 70);
