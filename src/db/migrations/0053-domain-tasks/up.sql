-- What is to be done at a registry for a holding later waits in the task queue.
-- compatible from: 0037
create function domains_enqueue_code() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'unset_auth_code', new.id::text, new.registry, jsonb_build_object('domain_id', new.id::text),
    new.auth_code_unset_at, 'replace');
  return null;
end $$;
create trigger domains_enqueue_code_new after insert on domains
  for each row when (new.auth_code_unset_at is not null and new.ended_at is null)
  execute function domains_enqueue_code();
create trigger domains_enqueue_code after update of auth_code_unset_at on domains
  for each row when (
    new.auth_code_unset_at is not null and new.ended_at is null
    and new.auth_code_unset_at is distinct from old.auth_code_unset_at)
  execute function domains_enqueue_code();
insert into tasks (kind, key, bulkhead, payload, run_at)
  select 'unset_auth_code', id::text, registry, jsonb_build_object('domain_id', id::text),
         auth_code_unset_at
    from domains where auth_code_unset_at is not null and ended_at is null;

create function domains_enqueue_lift() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'lift_client_hold', new.id::text, new.registry, jsonb_build_object('domain_id', new.id::text),
    new.lift_hold_at, 'replace');
  return null;
end $$;
-- It is paid: its expiry lies after the time from which its hold is to be lifted.
create trigger domains_enqueue_lift after update of lift_hold_at, expiry, deletion_at on domains
  for each row when (
    new.lift_hold_at is not null and new.ended_at is null and new.deletion_at is null
    and new.expiry > new.lift_hold_at
    and (new.lift_hold_at, new.expiry, new.deletion_at)
        is distinct from (old.lift_hold_at, old.expiry, old.deletion_at))
  execute function domains_enqueue_lift();
insert into tasks (kind, key, bulkhead, payload, run_at)
  select 'lift_client_hold', id::text, registry, jsonb_build_object('domain_id', id::text),
         lift_hold_at
    from domains
   where lift_hold_at is not null and expiry > lift_hold_at and deletion_at is null
     and ended_at is null;

create function domains_enqueue_nameservers() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'set_ordered_nameservers', new.id::text, new.registry,
    jsonb_build_object('domain_id', new.id::text), clock_timestamp(), 'replace');
  return null;
end $$;
create trigger domains_enqueue_nameservers_new after insert on domains
  for each row when (new.wanted_nameservers is not null and new.ended_at is null)
  execute function domains_enqueue_nameservers();
create trigger domains_enqueue_nameservers after update of wanted_nameservers on domains
  for each row when (
    new.wanted_nameservers is not null and new.ended_at is null
    and new.wanted_nameservers is distinct from old.wanted_nameservers)
  execute function domains_enqueue_nameservers();
insert into tasks (kind, key, bulkhead, payload, run_at, attempts)
  select 'set_ordered_nameservers', id::text, registry,
         jsonb_build_object('domain_id', id::text),
         coalesce(follow_up_at, clock_timestamp()), follow_up_failures
    from domains where wanted_nameservers is not null and ended_at is null;
