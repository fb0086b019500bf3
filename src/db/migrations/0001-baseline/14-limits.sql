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

-- The limits of an API key, or of a connected app (an OAuth client with all its consents), as the
-- owner set them. A key is also under those of its ancestors, and of the app that it was made with
-- (limits_of_caller).
create table access_limits (
  id bigint generated always as identity primary key,
  customer_id text not null references customers (id),
  api_key_id bigint unique references api_keys (id),
  oauth_client_id text check (length(oauth_client_id) between 1 and 2048),
  -- The most to spend in a calendar window (UTC), in one currency.
  spend_amount bigint check (spend_amount >= 0),
  spend_currency text check (spend_currency in ('USD', 'EUR')),
  spend_window text check (spend_window in ('day', 'month', 'total')),
  -- Held or captured in the window that began at spent_from: orders_place and orders_settle keep
  -- it, under the lock of the balance in this currency.
  spent bigint not null default 0 check (spent >= 0),
  spent_from date,
  -- The most that one purchase may cost.
  price_amount bigint check (price_amount >= 0),
  price_currency text check (price_currency in ('USD', 'EUR')),
  -- Null: all. Patterns of domains: "*" stands for any part of the label.
  allowed_tlds text[] check (cardinality(allowed_tlds) between 1 and 100),
  allowed_domains text[] check (cardinality(allowed_domains) between 1 and 100),
  -- Networks in CIDR notation.
  allowed_ips text[] check (cardinality(allowed_ips) between 1 and 100),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint access_limits_of check (num_nonnulls(api_key_id, oauth_client_id) = 1),
  constraint access_limits_app unique (customer_id, oauth_client_id),
  constraint access_limits_spend
    check (num_nonnulls(spend_amount, spend_currency, spend_window) in (0, 3)),
  constraint access_limits_price check (num_nonnulls(price_amount, price_currency) in (0, 2))
) with (fillfactor = 50);
create index access_limits_of_customer on access_limits (customer_id);

-- A purchase and one limit of its caller, within orders_place. refused: the rule that stands
-- against it whatever was spent. tight: not all purchases of the batch fit into the budget.
create type order_limit as (order_id text, limit_id bigint, refused text, tight boolean);
