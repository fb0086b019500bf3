-- What the authorization server keeps: clients, consents, codes, tokens, browser sessions. The id
-- of most of them is the secret that a client or a browser shows, so only its SHA-256 is here.
create table oauth_models (
  model text not null check (model ~ '^[A-Z][A-Za-z]{1,62}$'),
  id_hash bytea not null check (length(id_hash) = 32),
  payload jsonb not null,
  grant_id text,
  -- Of a session alone: how tokens and interactions name it without knowing its id.
  uid text,
  client_id text,
  -- A customer's id.
  account_id text,
  consumed_at timestamptz,
  -- Null: a client.
  expires_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (model, id_hash)
) with (fillfactor = 80);
create index oauth_models_of_grant on oauth_models (grant_id) where grant_id is not null;
create unique index oauth_models_sessions on oauth_models (uid) where uid is not null;
create index oauth_models_of_account on oauth_models (account_id) where account_id is not null;
create index oauth_models_of_client on oauth_models (client_id) where client_id is not null;
create index oauth_models_ended on oauth_models (expires_at) where expires_at is not null;

-- One consent of one customer to one client. Its id is no secret.
create table oauth_grants (
  id text primary key check (length(id) between 1 and 200),
  customer_id text not null references customers (id),
  client_id text not null check (length(client_id) between 1 and 2048),
  client_name text not null check (length(client_name) between 1 and 200),
  redirect_host text not null check (length(redirect_host) between 1 and 300),
  scopes text[] not null,
  -- Where its tokens are good.
  resource text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
) with (fillfactor = 80);
create index oauth_grants_of_customer on oauth_grants (customer_id, created_at desc);
create index oauth_grants_of_client on oauth_grants (client_id);

-- Keys made with an access token end with its consent.
alter table api_keys add column oauth_grant_id text references oauth_grants (id);
create index api_keys_of_oauth_grant on api_keys (oauth_grant_id) where oauth_grant_id is not null;

-- The keys of the authorization server, sealed with ENCRYPTION_KEY.
create table oauth_signing_keys (
  kid text primary key check (length(kid) between 1 and 100),
  -- sign: ID tokens. cookie: cookies of the log-in page.
  purpose text not null check (purpose in ('sign', 'cookie')),
  alg text not null check (alg in ('RS256', 'EdDSA', 'HS256')),
  sealed text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- From then on new signatures are made with it; before, it is published and nothing more.
  signs_from timestamptz not null,
  -- From then on it is no longer published, or believed. Null: no newer one has come.
  ends_at timestamptz
);

-- An ended consent ends all that came of it, in the same transaction, whoever ends it.
create function oauth_grant_ended() returns trigger
language plpgsql as $$
begin
  delete from oauth_models where grant_id = new.id;
  with recursive made as (
    select id from api_keys where oauth_grant_id = new.id
    union
    select k.id from api_keys k join made m on k.parent_key_id = m.id
  )
  update api_keys set revoked_at = new.revoked_at
   where id in (select id from made) and revoked_at is null;
  perform pg_notify('access_revoked', new.customer_id);
  return null;
end $$;
create trigger oauth_grants_ended after update of revoked_at on oauth_grants
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function oauth_grant_ended();

-- All consents of a customer end, and its browsers must log in anew.
create function oauth_end_customer(ended text) returns void
language plpgsql as $$
begin
  update oauth_grants set revoked_at = clock_timestamp()
   where customer_id = ended and revoked_at is null;
  delete from oauth_models where account_id = ended;
end $$;

create function oauth_customer_closed() returns trigger
language plpgsql as $$
begin
  perform oauth_end_customer(new.id);
  return null;
end $$;
create trigger customers_end_oauth after update of status on customers
  for each row when (old.status <> 'closed' and new.status = 'closed')
  execute function oauth_customer_closed();

create function oauth_password_changed() returns trigger
language plpgsql as $$
begin
  perform oauth_end_customer(new.customer_id);
  return null;
end $$;
-- A new hash of the same password leaves changed_at.
create trigger passwords_end_oauth after update of changed_at on passwords
  for each row when (old.changed_at is distinct from new.changed_at)
  execute function oauth_password_changed();
