-- Whether a session has neither ended nor expired. An idle one ends at its next use.
create or replace function session_stands(s sessions, at timestamptz) returns boolean
language sql immutable as $$
  select s.ended_at is null and s.expires_at > at
$$;

-- Whether an API key is neither revoked nor expired.
create or replace function key_stands(k api_keys, at timestamptz) returns boolean
language sql immutable as $$
  select k.revoked_at is null and (k.expires_at is null or k.expires_at > at)
$$;

-- The scopes of a token that others have as well. domains:write includes dns:write, so the part
-- that domains:write and dns:write share is dns:write.
create or replace function scopes_within(held text[], most text[]) returns text[]
language sql immutable as $$
  select array(
    select case when s = any (most) or s = 'dns:write' then s else 'dns:write' end
      from unnest(held) with ordinality h (s, n)
     where s = any (most)
        or s = 'dns:write' and 'domains:write' = any (most)
        or s = 'domains:write' and 'dns:write' = any (most) and 'dns:write' <> all (held)
     order by n)
$$;

-- A token's scopes without others. domains:write without domains:write alone is dns:write.
create or replace function scopes_without(held text[], refused text[]) returns text[]
language sql immutable set search_path = public, pg_temp as $$
  select scopes_within(held, array(
    select s from unnest(
      held || case when 'domains:write' = any (held) then '{dns:write}'::text[] else '{}' end) s
     where s <> all (refused)))
$$;

-- The purchases whose caller may not buy any more: its session, key or consent has ended or has
-- lost the scope, the key was rotated, or the account is not active. A suspended account's
-- automatic renewals go on (decision 63). Locks these rows until the transaction ends, in the order
-- in which their ends lock them: an end that came first is seen here, and one that comes later
-- waits until the money is held.
create or replace function orders_unauthorized(items order_placing[]) returns text[]
language plpgsql set search_path = public, pg_temp as $$
declare
  accounts text[];
  consents text[];
  keys jsonb;
  live bigint[];
begin
  accounts := array(
    select c.id from customers c
     where c.id in (select x.customer_id from unnest(items) x) and c.status = 'active'
     order by c.id for key share);
  if exists (select from unnest(items) x where x.oauth_grant_id is not null) then
    consents := array(
      select g.id from oauth_grants g
       where g.id in (select x.oauth_grant_id from unnest(items) x)
         and g.revoked_at is null and 'domains:purchase' = any (g.scopes)
       order by g.id for share);
  end if;
  if exists (select from unnest(items) x where x.api_key_id is not null) then
    keys := (
      select jsonb_object_agg(l.id, encode(l.key_hash, 'hex'))
        from (select k.id, k.key_hash from api_keys k
               where k.id in (select x.api_key_id from unnest(items) x)
                 and key_stands(k, clock_timestamp()) and 'domains:purchase' = any (k.scopes)
               order by k.id for share) l);
  end if;
  if exists (select from unnest(items) x where x.session_id is not null) then
    live := array(
      select s.id from sessions s
       where s.id in (select x.session_id from unnest(items) x)
         and session_stands(s, clock_timestamp())
       order by s.id for share);
  end if;
  return array(
    select x.id from unnest(items) x
     where x.customer_id <> all (accounts) and x.command ->> 'automatic' is distinct from 'true'
        or x.oauth_grant_id is not null and x.oauth_grant_id <> all (consents)
        or x.api_key_id is not null
           and coalesce(x.key_hash <> keys ->> x.api_key_id::text,
                        keys -> x.api_key_id::text is null)
        or x.session_id is not null and x.session_id <> all (live));
end $$;
