-- Contact objects that are behind are found by their own row. A comparison with the contact's row
-- reads every contact object, at each run of the jobs.
-- compatible from: 0023

-- The contact's version as this row last heard of it.
alter table registry_contacts add column wanted_version bigint not null default 0;
update registry_contacts r set wanted_version = c.version
  from contacts c where c.id = r.contact_id and c.version > r.synced_version;
create index registry_contacts_behind on registry_contacts (try_at)
  where synced_version < wanted_version;

create function contacts_new_version() returns trigger
language plpgsql as $$
begin
  update registry_contacts set wanted_version = new.version where contact_id = new.id;
  return null;
end $$;
create trigger contacts_new_version after update of version on contacts
  for each row when (old.version <> new.version) execute function contacts_new_version();

-- Of the customer's default registrant; null while there is none.
alter table provider_clients add column wanted_digest text;
update provider_clients p set wanted_digest = registrant_digest(c)
  from contacts c where c.customer_id = p.customer_id and c.default_registrant;
create index provider_clients_behind on provider_clients (try_at)
  where digest is distinct from wanted_digest and wanted_digest is not null;

create function contacts_new_registrant() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'DELETE' and new.default_registrant then
    update provider_clients set wanted_digest = registrant_digest(new)
     where customer_id = new.customer_id;
  elsif tg_op <> 'INSERT' and old.default_registrant then
    update provider_clients set wanted_digest = null where customer_id = old.customer_id;
  end if;
  return null;
end $$;
create trigger contacts_new_registrant after insert or update or delete on contacts
  for each row execute function contacts_new_registrant();

-- Clients of before this column was kept; unused ones are found by it.
update oauth_models c set registered_by = 'unknown'
 where c.model = 'Client' and c.registered_by is null
   and not exists (select from oauth_grants g where g.client_id = c.client_id);

-- Both rows are made while their contact may be changed by somebody: they wait for that, so that
-- one of the two sees the other.
create function registry_contacts_wanted() returns trigger
language plpgsql as $$
begin
  select c.version into new.wanted_version from contacts c where c.id = new.contact_id for share;
  return new;
end $$;
create trigger registry_contacts_wanted before insert on registry_contacts
  for each row execute function registry_contacts_wanted();

create function provider_clients_wanted() returns trigger
language plpgsql as $$
begin
  perform from customers where id = new.customer_id for share;
  select registrant_digest(c) into new.wanted_digest
    from contacts c where c.customer_id = new.customer_id and c.default_registrant for share;
  return new;
end $$;
create trigger provider_clients_wanted before insert on provider_clients
  for each row execute function provider_clients_wanted();
