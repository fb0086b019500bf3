-- Keys of the people who run the service.
create table operator_keys (
  id bigint generated always as identity primary key,
  key_hash bytea not null unique check (length(key_hash) = 32),
  -- Its name, by which the audit log names the operator. "environment": of OPERATOR_KEY; "first
  -- start": made when there was none.
  label text not null check (length(label) between 1 and 64),
  -- Its first characters; null: it was not made here.
  key_prefix text,
  created_at timestamptz not null,
  -- When its secret was last replaced; null: never.
  rotated_at timestamptz,
  -- At most a minute late.
  last_used_at timestamptz,
  revoked_at timestamptz
) with (fillfactor = 80);
-- Nodes that start together make one key, not one each.
create unique index operator_keys_active on operator_keys (label) where revoked_at is null;

-- Log-ins of operators at their pages, each in exchange for a key, with which it ends.
create table operator_sessions (
  id bigint generated always as identity primary key,
  operator_key_id bigint not null references operator_keys (id),
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  -- At most a minute late.
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- The browser, by its own word, and the address that it is counted by.
  agent text not null,
  address text not null
) with (fillfactor = 80);
create index operator_sessions_of_key on operator_sessions (operator_key_id);
create index operator_sessions_to_purge on operator_sessions (expires_at);

-- Those to which money may still come.
create index customers_closed on customers (id) where status = 'closed';
