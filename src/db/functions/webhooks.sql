-- Whether the key, or the consent of an app, that made something has ended: it is revoked or
-- disconnected, or has expired. False if the owner made it.
create or replace function maker_has_ended(key_id bigint, grant_id text) returns boolean
language sql stable set search_path = public, pg_temp as $$
  select key_id is not null and not exists (
           select from api_keys k
            where k.id = key_id and k.revoked_at is null
              and (k.expires_at is null or k.expires_at > statement_timestamp()))
      or grant_id is not null and not exists (
           select from oauth_grants g where g.id = grant_id and g.revoked_at is null)
$$;
