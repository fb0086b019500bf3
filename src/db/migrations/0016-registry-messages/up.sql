-- What the registries told us through their message queues, each message once.
create table registry_messages (
  id bigint generated always as identity primary key,
  registry text not null,
  msg_id text not null,
  -- When the registry queued it, by its clock.
  queued_at timestamptz,
  text text not null,
  kind text not null
    check (kind in ('transfer', 'pending_action', 'domain', 'renewal', 'other')),
  domain text,
  about jsonb not null,
  -- As it came, without authorization information.
  raw text not null,
  -- False: nobody here knows what it means.
  known boolean not null,
  received_at timestamptz not null default clock_timestamp(),
  -- Times that its effects could not be done; the last one's error.
  failures integer not null default 0,
  last_error text,
  handled_at timestamptz,
  acked_at timestamptz,
  -- The date too: the queue of a registry that was set up anew counts from one again.
  unique nulls not distinct (registry, msg_id, queued_at)
);
create index registry_messages_of_domain on registry_messages (domain, id);

-- What an owner was told of a term, once for each holding, kind and term.
create table expiry_notices (
  domain_id bigint not null references domains (id),
  kind text not null
    check (kind in ('expires_in_30_days', 'expires_in_7_days', 'expired', 'deleted_unpaid')),
  expiry timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (domain_id, kind, expiry)
);

-- "is not null": see 0011 on the indexes of holdings.
create index domains_expiring on domains (expiry) where ended_at is null and expiry is not null;
-- The sweep goes registry by registry, so that one that is away does not stand in the others' way.
drop index domains_sync_due;
create index domains_sync_due on domains (registry, sync_at)
  where ended_at is null and registry is not null;

alter table domains
  -- When the unpaid one is tried next, by the registries' time.
  add column unpaid_try_at timestamptz,
  -- When the wanted name servers are tried next, by this machine's time, and the failures so far.
  add column follow_up_at timestamptz,
  add column follow_up_failures integer not null default 0;
create index domains_deleting on domains (deletion_at)
  where deletion_at is not null and ended_at is null;

-- When its owner was told how a transfer, a restore or an automatic renewal ended.
alter table orders add column told_at timestamptz;
create index orders_to_tell on orders (closed_at)
  where closed_at is not null and told_at is null
    and (type in ('transfer', 'restore') or type = 'renew' and command->>'automatic' = 'true');
-- A word of the registry came while somebody works on it: it is looked at again at once.
alter table orders add column woken boolean not null default false;
