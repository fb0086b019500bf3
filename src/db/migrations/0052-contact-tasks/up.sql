-- Contacts and provider clients that are behind at a registry wait in the task queue.
-- compatible from: 0037
create function registry_contacts_enqueue() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'sync_contact', new.registry || '/' || new.contact_id, new.registry,
    jsonb_build_object('contact_id', new.contact_id::text), clock_timestamp(), 'again');
  return null;
end $$;
create trigger registry_contacts_enqueue_new after insert on registry_contacts
  for each row when (new.synced_version < new.wanted_version)
  execute function registry_contacts_enqueue();
create trigger registry_contacts_enqueue after update of wanted_version on registry_contacts
  for each row when (
    new.synced_version < new.wanted_version and old.wanted_version <> new.wanted_version)
  execute function registry_contacts_enqueue();
insert into tasks (kind, key, bulkhead, payload, run_at, attempts, last_error)
  select 'sync_contact', registry || '/' || contact_id, registry,
         jsonb_build_object('contact_id', contact_id::text), try_at, failures, last_error
    from registry_contacts where synced_version < wanted_version;

create function provider_clients_enqueue() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'refresh_provider_client', new.registry || '/' || new.customer_id, new.registry,
    jsonb_build_object('customer_id', new.customer_id), clock_timestamp(), 'again');
  return null;
end $$;
create trigger provider_clients_enqueue_new after insert on provider_clients
  for each row when (
    new.wanted_digest is not null and new.digest is distinct from new.wanted_digest)
  execute function provider_clients_enqueue();
create trigger provider_clients_enqueue after update of wanted_digest on provider_clients
  for each row when (
    new.wanted_digest is not null and new.digest is distinct from new.wanted_digest
    and old.wanted_digest is distinct from new.wanted_digest)
  execute function provider_clients_enqueue();
insert into tasks (kind, key, bulkhead, payload, run_at, attempts, last_error)
  select 'refresh_provider_client', registry || '/' || customer_id, registry,
         jsonb_build_object('customer_id', customer_id), try_at, failures, last_error
    from provider_clients
   where wanted_digest is not null and digest is distinct from wanted_digest;
