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
-- Not unique: a browser that goes on twice at once has two ids for one session, and ends both.
create index oauth_models_sessions on oauth_models (uid) where uid is not null;
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
  -- SHA-256 of the interaction that it answers: one answer is one consent.
  interaction_hash bytea unique check (length(interaction_hash) = 32),
  -- The log-in of the browser that gave it. No reference: sessions are forgotten earlier.
  session_id bigint,
  created_at timestamptz not null,
  -- When its browser went on to the client with it, which it may do once.
  went_on_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
) with (fillfactor = 80);
create index oauth_grants_of_customer on oauth_grants (customer_id, created_at desc);
create index oauth_grants_of_client on oauth_grants (client_id);
create index oauth_grants_of_session on oauth_grants (session_id) where session_id is not null;

create index oauth_grants_open on oauth_grants (created_at) where revoked_at is null;

-- The log-in of a browser at the consent page is a session of its owner, without a token that
-- anybody knows. This is the library's session (oauth_models.uid); null until the browser went on.
alter table sessions add column oauth_uid text;
create index sessions_of_oauth on sessions (oauth_uid) where oauth_uid is not null;

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
  -- Also the log-in that gave it: whoever disconnects a program may not have been there.
  update sessions set ended_at = new.revoked_at where id = new.session_id and ended_at is null;
  perform pg_notify('access_revoked', new.customer_id);
  return null;
end $$;
create trigger oauth_grants_ended after update of revoked_at on oauth_grants
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function oauth_grant_ended();

-- An ended session ends its browser's log-in at the consent page.
create function oauth_session_ended() returns trigger
language plpgsql as $$
begin
  delete from oauth_models where uid = new.oauth_uid and model = 'Session';
  return null;
end $$;
create trigger sessions_end_oauth after update of ended_at on sessions
  for each row when (old.ended_at is null and new.ended_at is not null
                     and new.oauth_uid is not null)
  execute function oauth_session_ended();

-- No browser is logged in that its owner does not see: the library's session with an account is
-- kept only while ours is there.
create function oauth_session_seen() returns trigger
language plpgsql as $$
begin
  perform from sessions where oauth_uid = new.uid and ended_at is null for share;
  if found then
    return new;
  end if;
  return null;
end $$;
create trigger oauth_models_session_seen before insert on oauth_models
  for each row when (new.model = 'Session' and new.account_id is not null)
  execute function oauth_session_seen();

-- A browser goes on with a consent, once: false where it did, or where the consent or the log-in
-- that gave it ended. From then on the log-in is that of the browser with the session `browser`, in
-- place of any that it had.
create function oauth_go_on(consent text, browser text) returns boolean
language plpgsql as $$
declare
  log_in bigint;
begin
  update oauth_grants set went_on_at = clock_timestamp()
   where id = consent and went_on_at is null and revoked_at is null
  returning session_id into log_in;
  if not found then
    return false;
  end if;
  -- Without its uid, so that this ends no session of the browser.
  with replaced as (
    update sessions set ended_at = clock_timestamp(), oauth_uid = null
     where oauth_uid = browser and id <> log_in and ended_at is null
       and exists (select from sessions s where s.id = log_in and s.ended_at is null)
    returning id
  )
  update oauth_grants set session_id = log_in where session_id in (select id from replaced);
  update sessions set oauth_uid = browser, last_used_at = clock_timestamp()
   where id = log_in and ended_at is null and (oauth_uid is null or oauth_uid = browser);
  return found;
end $$;

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
