-- An approval is decided once, and its end is final.
create or replace function refuse_approval_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'approval % has been decided', old.id using errcode = 'check_violation';
end $$;

-- An open one may be re-encrypted with another key, which changes nothing else.
create or replace trigger approvals_keep_end before update on approvals
  for each row when (
    old.ended_at is not null
    or (new.state = 'pending' or new.state = 'approved' and old.state = 'approved')
      and (new.input is null or old.input is null
           or to_jsonb(new) - 'input' <> to_jsonb(old) - 'input'))
  execute function refuse_approval_change();

-- Ends the open requests of a key, or of a consent, that is revoked in this transaction.
create or replace function approvals_void() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'api_keys' then
    update approvals a
       set state = 'voided', ended_at = clock_timestamp(), input = null,
           error_code = 'key_revoked'
     where a.api_key_id = new.id and a.ended_at is null;
  else
    update approvals a
       set state = 'voided', ended_at = clock_timestamp(), input = null,
           error_code = 'app_disconnected'
     where a.oauth_grant_id = new.id and a.ended_at is null;
  end if;
  return null;
end $$;
create or replace trigger approvals_void_with_key after update on api_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function approvals_void();
create or replace trigger approvals_void_with_grant after update on oauth_grants
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function approvals_void();

-- Deletes up to a number of the oldest approvals that ended before a moment and at least a day ago;
-- returns their ids. The service cannot delete one in another way.
create or replace function approvals_purge(before timestamptz, most integer) returns setof text
language sql security definer set search_path = public, pg_temp as $$
  delete from approvals
    where id = any (array(
      select a.id from approvals a
       where a.ended_at < least(before, statement_timestamp() - interval '1 day')
       order by a.ended_at limit most for update skip locked))
  returning id
$$;

-- The purchases whose approval does not allow exactly them, now: another order, name, currency or
-- caller, a higher price, or one that is not approved, has expired, or was used. Locks the
-- approvals.
create or replace function approvals_refused(items order_placing[], at timestamptz) returns text[]
language plpgsql set search_path = public, pg_temp as $$
begin
  perform from approvals a
    where a.id in (select x.approval_id from unnest(items) x) order by a.id for update;
  return array(
    select x.id from unnest(items) x
     where x.approval_id is not null
       and not exists (
         select from approvals a
          where a.id = x.approval_id and a.customer_id = x.customer_id and a.domain = x.domain
            and a.digest = x.approval_digest and a.currency = x.currency and a.amount >= x.amount
            and a.api_key_id is not distinct from x.api_key_id
            and a.oauth_grant_id is not distinct from x.oauth_grant_id
            and (a.state = 'approved' and a.expires_at > at
                 -- The order itself is excepted: the response to its commit was lost, and it is
                 -- placed again.
                 or a.order_id = x.id)));
end $$;

-- The purchases whose approval does not allow them.
create or replace function approvals_rejected(items order_placing[], at timestamptz)
returns order_rejection[]
language plpgsql as $$
declare
  refused text[];
begin
  if not exists (select from unnest(items) x where x.approval_id is not null) then
    return '{}';
  end if;
  refused := approvals_refused(items, at);
  return array(
    select row(x.i, 'unapproved', null, null)::order_rejection
      from unnest(items) x where x.id = any (refused));
end $$;

-- Ends the web push of a browser whose session is ended in this transaction.
create or replace function push_subscriptions_end() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  delete from push_subscriptions where session_id = new.id;
  return null;
end $$;
create or replace trigger push_subscriptions_end_with_session after update on sessions
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function push_subscriptions_end();
