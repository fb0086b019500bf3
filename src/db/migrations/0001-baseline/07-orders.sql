create table orders (
  id text primary key,
  customer_id text not null references customers (id),
  type text not null check (type in ('register', 'renew', 'transfer', 'restore')),
  domain text not null,
  registry text not null,
  state text not null
    check (state in ('pending', 'accepted', 'unknown', 'parked', 'succeeded', 'failed')),
  currency text not null,
  amount bigint not null check (amount > 0),
  digest text not null,
  -- The command as it was decided: a later attempt sends the same again.
  command jsonb not null,
  attempts integer not null,
  fingerprints text[] not null,
  first_sent_at timestamptz not null,
  run_at timestamptz not null,
  lease_until timestamptz not null,
  lease_token text not null,
  error_code text,
  error_detail text,
  alarm text,
  -- The key, or the consent, that it was placed with: the limits of these count it.
  api_key_id bigint,
  oauth_grant_id text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  sealed text,
  -- When its owner was notified how a transfer, a restore or an automatic renewal ended.
  notified_at timestamptz,
  -- A message of the registry came while the order was being worked on: it is read again at once.
  recheck_requested boolean not null default false,
  -- When its latest attempt without an answer is known to have ended: until some time after that
  -- the registry may still apply it, so the hold is not released.
  unanswered_at timestamptz,
  -- W3C traceparent of the purchase, where that is traced.
  traceparent text,
  -- Of the amount: what was kept for renewals. A release puts it back.
  reserve_amount bigint not null default 0,
  -- The quote that made its price.
  quote_id text,
  check ((closed_at is not null) = (state in ('succeeded', 'failed'))),
  constraint orders_reserve check (reserve_amount between 0 and amount),
  -- The target of a hold's foreign key.
  constraint orders_price unique (id, customer_id, currency, amount)
) with (fillfactor = 70);
create unique index orders_open_once on orders (domain) where closed_at is null;
create index orders_due_of_registry on orders (registry, run_at)
  where closed_at is null and state <> 'parked';
create index orders_of_domain on orders (customer_id, domain, created_at desc);
-- A quote is for one order; after one that failed, it may be used again.
create unique index orders_quote_once on orders (quote_id)
  where quote_id is not null and state <> 'failed';
create index orders_of_oauth_grant on orders (oauth_grant_id) where oauth_grant_id is not null;
create index orders_open_of_customer on orders (customer_id) where closed_at is null;
create index orders_for_operator
  on orders (id) where closed_at is null and (state = 'parked' or alarm is not null);
-- An order is made by orders_place and closed by orders_settle, with its money.
select withhold_columns('orders', fixed => array[
  'id', 'customer_id', 'type', 'domain', 'registry', 'currency', 'amount', 'digest', 'command',
  'first_sent_at', 'api_key_id', 'oauth_grant_id', 'created_at', 'closed_at', 'traceparent',
  'quote_id', 'reserve_amount']);

create table idempotency_keys (
  customer_id text not null,
  key text not null,
  digest text not null,
  order_id text not null references orders (id),
  answer jsonb,
  created_at timestamptz not null default clock_timestamp(),
  primary key (customer_id, key)
);
create unique index idempotency_keys_of_order on idempotency_keys (order_id);
create index idempotency_keys_old on idempotency_keys (created_at);

-- A price that is honoured until it expires: exactly this, for this customer, in one order.
create table quotes (
  id text primary key,
  customer_id text not null references customers (id),
  type text not null check (type in ('register', 'renew', 'transfer', 'restore')),
  domain text not null,
  period_years integer not null check (period_years between 1 and 10),
  currency text not null check (currency in ('USD', 'EUR')),
  amount bigint not null check (amount > 0),
  -- As it was answered.
  price jsonb not null check (jsonb_typeof(price) = 'object'),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
create index quotes_of_customer on quotes (customer_id, expires_at);
create index quotes_expired on quotes (expires_at);

-- Keys that sign quotes and receipts (ES256). The public half stays: receipts are kept for years.
create table document_keys (
  kid text primary key check (length(kid) between 1 and 100),
  public_jwk jsonb not null check (jsonb_typeof(public_jwk) = 'object'),
  -- The private half, encrypted; null once a newer one signs.
  sealed text,
  created_at timestamptz not null default clock_timestamp(),
  -- It was stolen: no longer published, so what it signed is no longer valid.
  withdrawn_at timestamptz,
  constraint document_keys_withdrawn check (withdrawn_at is null or sealed is null)
);
select withhold_columns('document_keys', fixed => '{kid,public_jwk,created_at}',
  defaults => '{created_at}');

-- A purchase to be placed, as orders_place takes it.
create type order_placing as (
  i integer, id text, customer_id text, type text, domain text, registry text, currency text,
  amount bigint, digest text, command jsonb, fingerprint text, lease_ms integer, lease_token text,
  api_key_id bigint, description text, idempotency_key text, idempotency_digest text,
  contacts jsonb, audit audit_entry, fence timestamptz, first_sent_at timestamptz, sealed text,
  traceparent text, oauth_grant_id text, approval_id text, approval_digest text,
  quote_id text, from_reserve boolean);

-- The facts of a holding once its order has succeeded. Null statuses: as they were known.
-- paid_years: years that the capture of a restore adds.
create type holding_facts as (
  paid_until timestamptz, registry_expiry timestamptz, nameservers text[], period_years integer,
  epp_statuses text[], rgp_statuses text[], locked boolean, contacts jsonb,
  registered_at timestamptz, sync_at timestamptz, wanted_nameservers text[], paid_years integer);

-- The end of an order; `type` and the attributes after it are the order's own.
create type order_settling as (
  i integer, order_id text, domain text, lease_token text, succeeded boolean, error_code text,
  error_detail text, description text, holding holding_facts, audit audit_entry, answer jsonb,
  customer_id text, currency text, amount bigint, type text, registry text);
