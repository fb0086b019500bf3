-- compatible from: 0001
-- Keys of DNS updates (TSIG, RFC 8945). They belong to a holding and its account, and end with
-- both. That they end with what made them is read by maker_has_ended.
create table tsig_keys (
  id text primary key check (id ~ '^tsk_[0-9a-z]{26}$'),
  domain_id bigint not null references domains (id),
  customer_id text not null references customers (id),
  algorithm text not null check (algorithm in ('hmac-sha256', 'hmac-sha512')),
  -- In base64, sealed by ENCRYPTION_KEY: signatures are verified with it.
  sealed_secret text not null,
  -- As those of access_limits: the only records that it may change; null: all.
  dns_hosts text[] check (cardinality(dns_hosts) between 1 and 100),
  dns_types integer[] check (cardinality(dns_types) between 1 and 30),
  made_by text not null check (made_by in ('owner', 'api_key', 'app')),
  api_key_id bigint references api_keys (id),
  -- No reference: consents are purged earlier.
  oauth_grant_id text,
  expires_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  constraint tsig_keys_maker check (
    (made_by = 'api_key') = (api_key_id is not null)
    and (made_by = 'app') = (oauth_grant_id is not null))
);
create index tsig_keys_of_domain on tsig_keys (domain_id);
create index tsig_keys_of_customer on tsig_keys (customer_id, id);
