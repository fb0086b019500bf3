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
  -- A purchase above this waits for the owner's approval.
  approval_amount bigint check (approval_amount >= 0),
  approval_currency text check (approval_currency in ('USD', 'EUR')),
  -- A purchase outside the lists below: null is refused, otherwise the owner is asked.
  outside_allowed text check (outside_allowed = 'ask'),
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
  constraint access_limits_price check (num_nonnulls(price_amount, price_currency) in (0, 2)),
  constraint access_limits_approval
    check (num_nonnulls(approval_amount, approval_currency) in (0, 2))
) with (fillfactor = 50);
create index access_limits_of_customer on access_limits (customer_id);

-- A purchase and one limit of its caller, within orders_place. refused: the rule that stands
-- against it whatever was spent. tight: not all purchases of the batch fit into the budget.
create type order_limit as (order_id text, limit_id bigint, refused text, tight boolean);

-- Requests of a key, or of a connected app, that wait for the owner's approval. Exactly that is
-- done then: the request is kept sealed, with the digest of all that it orders.
create table approvals (
  id text primary key,
  customer_id text not null references customers (id),
  api_key_id bigint references api_keys (id),
  -- No reference: consents are purged earlier.
  oauth_grant_id text,
  -- The client of the app, or the first key of the chain: what the limit of a day counts.
  counted_for text not null check (counted_for ~ '^(app|key):'),
  asked_by text not null check (length(asked_by) between 1 and 200),
  agent_identifier text not null,
  action text not null check (length(action) between 1 and 100),
  domain text not null,
  reason text not null
    check (reason in ('approval_above', 'outside_allowed', 'auto_renewal', 'protected_domain')),
  -- SHA-256: of the request, by which it is found when it is sent again; and of the order that it
  -- leads to, with the contacts as they were.
  request_digest text not null check (request_digest ~ '^[0-9a-f]{64}$'),
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  -- For the owner to read.
  request jsonb not null,
  -- The input of the operation, sealed, until the end.
  input text,
  -- The highest price; null: it costs nothing.
  amount bigint check (amount > 0),
  currency text check (currency in ('USD', 'EUR')),
  state text not null default 'pending' check (state in (
    'pending', 'approved', 'executed', 'failed', 'declined', 'expired', 'voided')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  -- The owner's words for the agent.
  note text check (length(note) between 1 and 500),
  ended_at timestamptz,
  error_code text,
  error_detail text,
  -- The order that it became: orders_place writes it in the transaction that holds the money.
  order_id text unique references orders (id),
  constraint approvals_of check (num_nonnulls(api_key_id, oauth_grant_id) = 1),
  constraint approvals_price check (num_nonnulls(amount, currency) in (0, 2)),
  constraint approvals_end check ((ended_at is null) = (state in ('pending', 'approved'))),
  constraint approvals_input check (input is null or ended_at is null),
  constraint approvals_decision
    check (decided_at is not null or state not in ('approved', 'executed', 'declined')),
  constraint approvals_order
    check (order_id is null or state = 'executed' and amount is not null)
) with (fillfactor = 70);
create unique index approvals_open_once on approvals
  (request_digest, customer_id, coalesce(api_key_id, 0), coalesce(oauth_grant_id, ''))
  where ended_at is null;
create index approvals_open_of_customer on approvals (customer_id, id desc) where ended_at is null;
create index approvals_to_expire_of_customer on approvals (customer_id, expires_at)
  where ended_at is null;
create index approvals_open_of_key on approvals (api_key_id, id desc)
  where api_key_id is not null and ended_at is null;
create index approvals_open_of_grant on approvals (oauth_grant_id, id desc)
  where oauth_grant_id is not null and ended_at is null;
create index approvals_open_changes on approvals (customer_id, domain)
  where ended_at is null and amount is null;
create index approvals_of_customer on approvals (customer_id, id desc);
create index approvals_of_request on approvals (request_digest, id desc);
create index approvals_of_key on approvals (api_key_id, id desc) where api_key_id is not null;
create index approvals_of_grant on approvals (oauth_grant_id, id desc)
  where oauth_grant_id is not null;
create index approvals_of_day on approvals (customer_id, counted_for, created_at);
create index approvals_to_expire on approvals (expires_at) where ended_at is null;
create index approvals_ended on approvals (ended_at) where ended_at is not null;
select withhold_columns('approvals', fixed => array[
  'id', 'customer_id', 'api_key_id', 'oauth_grant_id', 'counted_for', 'asked_by',
  'agent_identifier', 'action', 'domain', 'reason', 'request_digest', 'digest', 'request', 'amount',
  'currency', 'created_at', 'expires_at', 'order_id'],
  defaults => array['state', 'decided_at', 'note', 'ended_at', 'error_code', 'error_detail',
                    'order_id']);

-- Browsers of owners that get a web push for each request that waits for approval (decision 77).
create table push_subscriptions (
  id text primary key check (id ~ '^psb_[0-9a-hjkmnp-tv-z]{26}$'),
  customer_id text not null references customers (id),
  -- It ends with the session that made it: by a trigger where that is ended, and with its row where
  -- it expired.
  session_id bigint not null references sessions (id) on delete cascade,
  -- Endpoint and keys, encrypted: they are all that it takes to send to the browser.
  sealed text not null,
  -- SHA-256 of the endpoint: a browser is of one account.
  endpoint_hash bytea not null unique check (length(endpoint_hash) = 32),
  -- Of the endpoint, to be shown.
  service text not null check (length(service) between 1 and 300),
  -- The key of ours (VAPID) that it was made for: it takes messages by no other.
  public_key text not null,
  -- The User-Agent that made it.
  agent text not null,
  created_at timestamptz not null,
  last_sent_at timestamptz
) with (fillfactor = 80);
create index push_subscriptions_of_customer on push_subscriptions (customer_id, id desc);
create index push_subscriptions_of_session on push_subscriptions (session_id);
