create table customers (
  id text primary key check (id ~ '^cus_[0-9a-hjkmnp-tv-z]{26}$'),
  -- ASCII only: the domain is kept as A-labels, the local part is an RFC 5321 dot-string.
  email text not null check (
    email ~ '^[\x21-\x3f\x41-\x7e]+@[a-z0-9.-]+$' and length(email) between 3 and 320),
  email_verified boolean not null default false,
  name text not null check (length(name) between 1 and 200),
  company_name text check (length(company_name) between 1 and 200),
  status text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  default_nameservers text[] not null default '{}',
  -- The owner approves a request above this sum, or in another currency, only after a fresh log-in.
  -- Null: no sum asks for one.
  fresh_log_in_amount bigint default 10000 check (fresh_log_in_amount >= 0),
  fresh_log_in_currency text default 'USD' check (fresh_log_in_currency in ('USD', 'EUR')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint customers_fresh_log_in
    check (num_nonnulls(fresh_log_in_amount, fresh_log_in_currency) in (0, 2))
);
create unique index customers_email on customers (lower(email collate "C"));

create table api_keys (
  id bigint generated always as identity primary key,
  customer_id text not null references customers (id),
  parent_key_id bigint references api_keys (id),
  -- From the first to its parent: their limits are its limits, too.
  ancestors bigint[] not null default '{}',
  key_hash bytea not null unique check (length(key_hash) = 32),
  key_prefix text not null,
  name text check (length(name) between 1 and 100),
  scopes text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  -- A key made with an access token is revoked with its consent (13-oauth.sql).
  oauth_grant_id text,
  -- The key of the dashboard's instructions for MCP clients, which its owner rotates there.
  for_mcp boolean not null default false
) with (fillfactor = 80);
create unique index api_keys_for_mcp on api_keys (customer_id) where for_mcp and revoked_at is null;
create index api_keys_of_customer on api_keys (customer_id, id desc);
create index api_keys_of_parent on api_keys (parent_key_id) where parent_key_id is not null;
create index api_keys_of_oauth_grant on api_keys (oauth_grant_id) where oauth_grant_id is not null;
