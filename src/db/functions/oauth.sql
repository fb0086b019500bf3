-- A revoked consent revokes everything that was issued for it, in the same transaction, however it
-- is revoked.
create or replace function oauth_grant_ended() returns trigger
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
  -- This includes the log-in that gave it, since the owner who disconnects a program may not have
  -- given it.
  update sessions set ended_at = new.revoked_at where id = new.session_id and ended_at is null;
  perform pg_notify('access_revoked', new.customer_id);
  -- Enqueues its audit row, its event and the mail to its owner, however it ended.
  perform tasks_enqueue('report_ended_consent', new.id, '',
    jsonb_build_object('grant_id', new.id), clock_timestamp(), 'keep');
  return null;
end $$;

create or replace trigger oauth_grants_ended after update of revoked_at on oauth_grants
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function oauth_grant_ended();

-- An ended session ends its browser's log-in at the consent page.
create or replace function oauth_session_ended() returns trigger
language plpgsql as $$
begin
  delete from oauth_models where uid = new.oauth_uid and model = 'Session';
  return null;
end $$;

create or replace trigger sessions_end_oauth after update of ended_at on sessions
  for each row when (old.ended_at is null and new.ended_at is not null
                     and new.oauth_uid is not null)
  execute function oauth_session_ended();

-- An ended session of the dashboard ends the log-ins at the consent page that were given in it.
create or replace function sessions_begun_in_ended() returns trigger
language plpgsql as $$
begin
  update sessions set ended_at = new.ended_at where begun_in = new.id and ended_at is null;
  return null;
end $$;

create or replace trigger sessions_end_begun_in after update of ended_at on sessions
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function sessions_begun_in_ended();

-- The owner sees every logged-in browser: the library's session with an account is kept only while
-- ours exists.
create or replace function oauth_models_require_session() returns trigger
language plpgsql as $$
begin
  perform from sessions where oauth_uid = new.uid and ended_at is null for share;
  if found then
    return new;
  end if;
  return null;
end $$;

create or replace trigger oauth_models_require_session before insert on oauth_models
  for each row when (new.model = 'Session' and new.account_id is not null)
  execute function oauth_models_require_session();

-- Resumes the authorization of a consent in its browser, once. It is false if it was resumed
-- before, or if the consent or the log-in that gave it ended. From then on the log-in is that of
-- the browser with the session `browser`, in place of any that it had.
create or replace function oauth_resume_grant(consent text, browser text) returns boolean
language plpgsql as $$
declare
  log_in bigint;
begin
  update oauth_grants set resumed_at = clock_timestamp()
   where id = consent and resumed_at is null and revoked_at is null
  returning session_id into log_in;
  if not found then
    return false;
  end if;
  -- The uid is left out, so that this ends no session of the browser.
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

-- Ends all consents of a customer, whose browsers must log in again.
create or replace function oauth_end_consents(of_customer text, reason text) returns void
language plpgsql as $$
declare
  -- All of them have the same cause, which one mail reports.
  ended_at timestamptz := clock_timestamp();
begin
  update oauth_grants set revoked_at = ended_at, end_reason = reason
   where customer_id = of_customer and revoked_at is null;
  delete from oauth_models where account_id = of_customer;
end $$;

-- The value that the version before uses.
create or replace function oauth_end_customer(ended text) returns void
language sql as $$
  select oauth_end_consents(ended, null)
$$;

create or replace function oauth_customer_closed() returns trigger
language plpgsql as $$
begin
  perform oauth_end_consents(new.id, 'account_closed');
  return null;
end $$;

create or replace trigger customers_end_oauth after update of status on customers
  for each row when (old.status <> 'closed' and new.status = 'closed')
  execute function oauth_customer_closed();

create or replace function oauth_password_changed() returns trigger
language plpgsql as $$
begin
  perform oauth_end_consents(new.customer_id, 'password_changed');
  return null;
end $$;

-- A new hash of the same password leaves changed_at.
create or replace trigger passwords_end_oauth after update of changed_at on passwords
  for each row when (old.changed_at is distinct from new.changed_at)
  execute function oauth_password_changed();

-- A first use locks its client: the purge of unused clients passes over one that is
-- held, and sees the use once it is written.
create or replace function oauth_lock_client() returns trigger
language plpgsql as $$
declare
  used text := case when tg_table_name = 'oauth_grants'
                    then to_jsonb(new) ->> 'client_id'
                    else to_jsonb(new) #>> '{payload,params,client_id}' end;
begin
  if tg_table_name = 'oauth_grants' then
    update oauth_models set registered_by = null
      where model = 'Client' and id_hash = sha256(convert_to(used, 'UTF8'))
        and registered_by is not null;
  end if;
  -- Selected by the primary key, since a client may have many tokens.
  perform from oauth_models
    where model = 'Client' and id_hash = sha256(convert_to(used, 'UTF8')) for key share;
  return null;
end $$;

create or replace trigger oauth_grants_lock_client after insert on oauth_grants
  for each row execute function oauth_lock_client();
create or replace trigger oauth_interactions_lock_client after insert on oauth_models
  for each row when (new.model = 'Interaction') execute function oauth_lock_client();
