-- compatible from: 0001
-- A change of name servers that waits until the new ones serve the domain: one of a holding, with
-- the key, the app or the session that asked for it, for which it is made.
create table waiting_nameservers (
  domain_id bigint primary key references domains (id),
  id text not null unique check (id ~ '^nsw_[0-9a-z]{26}$'),
  customer_id text not null,
  nameservers text[] not null check (cardinality(nameservers) between 2 and 13),
  -- {host: [address]} of those within the domain.
  glue jsonb not null,
  -- Without a reference, as those of tsig_keys: consents are purged earlier.
  api_key_id bigint,
  oauth_grant_id text,
  -- Null: a key or an app asked for it.
  session_id bigint,
  -- The name of the key or the app.
  label text,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  checked_at timestamptz,
  constraint waiting_nameservers_maker check (
    num_nonnulls(api_key_id, oauth_grant_id, session_id) = 1)
);
