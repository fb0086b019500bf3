-- The digest of the facts of a contact that a registry gets.
create or replace function registrant_digest(c contacts) returns text
language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    c.id, c.name, c.email, c.company_name, c.address, c.address_line_2, c.city, c.state, c.country,
    c.zip, c.phone_country_code, c.phone_number)::text, 'UTF8')), 'hex')
$$;

-- The customer's provider client as it is shown; stale once the default registrant has changed, or
-- its facts have. Null before the first update.
create or replace function provider_client_of(of_customer text) returns jsonb
language sql stable as $$
  select jsonb_build_object(
           'provider', p.registry, 'client_id', p.client_id, 'reconciled_at', p.reconciled_at,
           'state', case when p.state = 'active' and p.digest is distinct from registrant_digest(c)
                         then 'stale' else p.state end)
    from provider_clients p
    left join contacts c on c.customer_id = p.customer_id and c.default_registrant
   where p.customer_id = of_customer
   order by p.position, p.registry limit 1
$$;

create or replace function contacts_new_version() returns trigger
language plpgsql as $$
begin
  update registry_contacts set wanted_version = new.version where contact_id = new.id;
  return null;
end $$;

create or replace trigger contacts_new_version after update of version on contacts
  for each row when (old.version <> new.version) execute function contacts_new_version();

create or replace function contacts_new_registrant() returns trigger
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

create or replace trigger contacts_new_registrant after insert or update or delete on contacts
  for each row execute function contacts_new_registrant();

-- Waits for a change of the contact that is in progress, so that one of the two sees the other.
create or replace function registry_contacts_wanted() returns trigger
language plpgsql as $$
begin
  select c.version into new.wanted_version from contacts c where c.id = new.contact_id for share;
  return new;
end $$;

create or replace trigger registry_contacts_wanted before insert on registry_contacts
  for each row execute function registry_contacts_wanted();

create or replace function provider_clients_wanted() returns trigger
language plpgsql as $$
begin
  perform from customers where id = new.customer_id for share;
  select registrant_digest(c) into new.wanted_digest
    from contacts c where c.customer_id = new.customer_id and c.default_registrant for share;
  return new;
end $$;

create or replace trigger provider_clients_wanted before insert on provider_clients
  for each row execute function provider_clients_wanted();

-- Enqueues the update of a contact object that is behind at its registry.
create or replace function registry_contacts_enqueue() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'sync_contact', new.registry || '/' || new.contact_id, new.registry,
    jsonb_build_object('contact_id', new.contact_id::text), clock_timestamp(), 'again');
  return null;
end $$;

create or replace trigger registry_contacts_enqueue_new after insert on registry_contacts
  for each row when (new.synced_version < new.wanted_version)
  execute function registry_contacts_enqueue();
create or replace trigger registry_contacts_enqueue
  after update of wanted_version on registry_contacts
  for each row when (
    new.synced_version < new.wanted_version and old.wanted_version <> new.wanted_version)
  execute function registry_contacts_enqueue();

create or replace function provider_clients_enqueue() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'refresh_provider_client', new.registry || '/' || new.customer_id, new.registry,
    jsonb_build_object('customer_id', new.customer_id), clock_timestamp(), 'again');
  return null;
end $$;

create or replace trigger provider_clients_enqueue_new after insert on provider_clients
  for each row when (
    new.wanted_digest is not null and new.digest is distinct from new.wanted_digest)
  execute function provider_clients_enqueue();
-- A provider client is also behind when its own digest is written and is not the wanted one.
create or replace trigger provider_clients_enqueue
  after update of digest, wanted_digest on provider_clients
  for each row when (
    new.wanted_digest is not null and new.digest is distinct from new.wanted_digest
    and (old.wanted_digest is distinct from new.wanted_digest
         or old.digest is distinct from new.digest))
  execute function provider_clients_enqueue();

-- The purchases that name a contact which their customer does not have, or no longer has. The
-- contacts are locked, so that one that is found is in use before it can be deleted.
create or replace function contacts_rejected(items order_placing[]) returns order_rejection[]
language plpgsql as $$
declare
  used constant bigint[] := array(
    select distinct c.value::bigint
      from unnest(items) x cross join lateral jsonb_each_text(x.contacts) c);
begin
  if used = '{}' then
    return '{}';
  end if;
  perform from contacts c where c.id = any (used) order by c.id for key share;
  return array(
    select row(x.i, 'contact_deleted', null, null)::order_rejection
      from unnest(items) x
     where exists (
       select from jsonb_each_text(x.contacts) u
         left join contacts c on c.id = u.value::bigint and c.customer_id = x.customer_id
        where c.id is null));
end $$;
