create table domains (
  id bigint generated always as identity primary key,
  name text not null,
  customer_id text not null references customers (id),
  -- The order that made it.
  order_id text not null,
  registry text not null,
  -- Paid until: the newest domain_terms.paid_until.
  expiry timestamptz not null,
  registry_expiry timestamptz not null,
  nameservers text[] not null,
  period_years integer not null,
  epp_statuses text[] not null,
  rgp_statuses text[] not null,
  locked boolean not null default false,
  auto_renew boolean not null default false,
  -- Keys and apps need the owner's approval for what may lose it.
  protected boolean not null default false,
  -- Its renewals draw on what the owner keeps for renewals first.
  from_reserve boolean not null default false,
  -- The key, or the consent, that turned automatic renewal on: its limits count the renewals.
  -- Null of both: the owner did.
  auto_renew_key_id bigint,
  auto_renew_grant_id text,
  contacts jsonb not null,
  registered_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  -- Why it ended; null while it is held.
  end_reason text check (end_reason in ('transferred_away', 'dropped', 'replaced')),
  deletion_at timestamptz,
  missing_since timestamptz,
  transfer_out jsonb,
  auth_code_hash text,
  auth_code_expires_at timestamptz,
  -- The name servers that a transfer in is to bring, until the registry has them.
  wanted_nameservers text[],
  -- When the authorization information that we set is to be removed (the registries' time): a
  -- trigger copies it into the run_at of a task; null: there is none of ours.
  auth_code_unset_at timestamptz,
  -- When we set clientHold, as it is unrenewed and cannot be deleted (the registries' time). A task
  -- lifts the hold once it is paid until after this; null: there is no hold of ours.
  lift_hold_at timestamptz,
  -- The transfer code that a registry has now, and one that was sent and never confirmed: both are
  -- sealed.
  auth_code_sealed text,
  auth_code_sent_sealed text,
  -- When the delete of a name that is in redemption or pendingDelete was sent; null: it is not.
  deleted_at timestamptz,
  constraint domains_ended check ((ended_at is null) = (end_reason is null))
) with (fillfactor = 85);
create unique index domains_held_once on domains (name) where ended_at is null;
-- "is not null" is always so, and keeps an index from queries that do not name its column: while a
-- table is too young for statistics, a scan of all that "ended_at is null" lets in seems to cost no
-- more than one look by name.
create index domains_of_customer on domains (customer_id, name)
  where ended_at is null and customer_id is not null;
create index domains_by_name_of_customer on domains (customer_id, (name collate "C"))
  where ended_at is null and customer_id is not null;
create index domains_ended_of_customer on domains (customer_id, name, ended_at)
  where ended_at is not null;
create index domains_expiring_in_order on domains (expiry, id)
  where ended_at is null and expiry is not null;

-- When each holding is worked on next, by the registries' time. A narrow row beside each one that
-- has not ended, which triggers of domains make and delete: a sync that finds nothing new writes it
-- alone, and only columns that no index has (HOT). Claims go registry by registry, so that one that
-- is silent holds up no other one's.
create table domain_schedules (
  domain_id bigint primary key,
  registry text not null,
  -- The second of the day (UTC) at which it is read daily; it never changes.
  sync_slot integer not null default floor(random() * 86400)
    check (sync_slot between 0 and 86399),
  -- When it is read out of turn; null: daily, at its slot.
  sync_at timestamptz,
  -- When the registry last answered <info>; null: only its answer to the purchase is known.
  synced_at timestamptz,
  -- When its automatic renewal is tried next; null: it has none.
  auto_renew_at timestamptz,
  -- Its expiry, or later: days after that (a setting) it is looked at as unrenewed.
  delete_at timestamptz not null
) with (fillfactor = 50);
create index domain_schedules_slot on domain_schedules (registry, sync_slot, domain_id);
create index domain_schedules_sync on domain_schedules (registry, sync_at)
  where sync_at is not null;
create index domain_schedules_auto_renew on domain_schedules (registry, auto_renew_at)
  where auto_renew_at is not null;
create index domain_schedules_delete on domain_schedules (registry, delete_at);

-- How far the daily sync of a registry's holdings has come: those before are handed out as tasks.
create table sync_rounds (
  registry text primary key,
  reached_at timestamptz not null,
  -- The last one of its slot that was handed out; 0: none.
  reached_id bigint not null
) with (fillfactor = 50);

-- Until when a holding is paid, as an append-only ledger of its terms: how it began, the years of
-- each capture since, less refunded years. domains.expiry is the newest paid_until, and nothing
-- else.
create table domain_terms (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains (id),
  -- The order whose capture it is.
  order_id text not null,
  -- corrected: by an operator.
  kind text not null check (kind in ('begun', 'added', 'refunded', 'corrected')),
  years integer not null,
  paid_until timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  check (case kind when 'added' then years > 0 when 'refunded' then years < 0 else true end)
);
create index domain_terms_of_domain on domain_terms (domain_id, id desc);
create unique index domain_terms_added_once on domain_terms (order_id) where kind = 'added';
select make_append_only('domain_terms', false);

-- Leases on changes of a domain at its registry.
create table domain_changes (
  domain text primary key,
  token text not null,
  lease_until timestamptz not null
);
create index domain_changes_to_purge on domain_changes (lease_until);

-- Notices to owners about a term, each once for each holding, kind and term.
create table expiry_notices (
  domain_id bigint not null references domains (id),
  kind text not null
    check (kind in ('expires_in_30_days', 'expires_in_14_days', 'expires_in_7_days',
                    'expires_in_1_day', 'expired', 'deleted_unpaid')),
  expiry timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (domain_id, kind, expiry)
);
create index expiry_notices_to_purge on expiry_notices (expiry);

-- The keys of messages: unique, which no constraint of a partitioned table could make them. The
-- date too: the queue of a registry that was set up anew counts from one again. A key is deleted
-- together with its message.
create table registry_message_keys (
  id bigint generated always as identity,
  received_at timestamptz(3) not null default clock_timestamp(),
  registry text not null,
  msg_id text not null,
  -- When the registry queued it, by its clock.
  queued_at timestamptz,
  primary key (id, received_at),
  unique nulls not distinct (registry, msg_id, queued_at)
);

-- Messages of the registries' queues (RFC 5730 2.9.2.3), each once: a row for each key.
create table registry_messages (
  id bigint not null,
  received_at timestamptz(3) not null,
  registry text not null,
  msg_id text not null,
  queued_at timestamptz,
  text text not null,
  kind text not null
    check (kind in ('transfer', 'pending_action', 'domain', 'renewal', 'other')),
  domain text,
  -- The meaning that the service found in it.
  parsed jsonb not null,
  -- As it came, without authorization information.
  raw text not null,
  -- False: its meaning is not known to this service.
  recognized boolean not null,
  -- Times that its effects could not be done; the last one's error.
  failures integer not null default 0,
  last_error text,
  handled_at timestamptz,
  acked_at timestamptz,
  primary key (id, received_at),
  foreign key (id, received_at) references registry_message_keys (id, received_at)
    on delete cascade
) partition by range (received_at);
create index registry_messages_acked on registry_messages (acked_at) where acked_at is not null;
select make_partitioned('registry_messages', true);
