-- What the metadata document of a client said when it was last read, by any node. When the
-- document's host is away, its client goes on with it for a day.
create table oauth_documents (
  client_id text primary key check (length(client_id) between 1 and 2048),
  -- What we keep of it: never more than 5 kB.
  fields jsonb not null,
  etag text check (length(etag) between 1 and 256),
  read_at timestamptz not null,
  -- From then on it is read again.
  fresh_until timestamptz not null check (fresh_until > read_at)
);
create index oauth_documents_by_age on oauth_documents (fresh_until);

-- Of a client: the address that registered it, as limits count addresses, until it is used.
alter table oauth_models add column registered_by text
  check (length(registered_by) between 1 and 64);

-- Whoever begins to use a client holds it: the purge of unused clients passes over one that is
-- held, and sees the use once it is written.
create function oauth_hold_client() returns trigger
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
  -- By the primary key: a client may have many tokens.
  perform from oauth_models
    where model = 'Client' and id_hash = sha256(convert_to(used, 'UTF8')) for key share;
  return null;
end $$;
create trigger oauth_grants_hold_client after insert on oauth_grants
  for each row execute function oauth_hold_client();
create trigger oauth_interactions_hold_client after insert on oauth_models
  for each row when (new.model = 'Interaction') execute function oauth_hold_client();
