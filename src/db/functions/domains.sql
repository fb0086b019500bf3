-- Stores the holdings of successful orders. An older holding of the name has ended, or the registry
-- would not have sold it. The contacts stay in use under the order, whose id the
-- holding knows. A renewal or a restore moves paid until by its years, whatever date came with it;
-- the other facts are read from the registry at once, unless they are known.
create or replace function domains_apply_orders(items order_settling[]) returns void
language plpgsql as $$
declare
  replaced boolean;
  extended boolean;
begin
  -- The holdings, locked in the order of names. No other one can appear: the orders are ours.
  select bool_or(x.type in ('register', 'transfer')), bool_or(x.type in ('renew', 'restore'))
    into replaced, extended
    from (select * from unnest(items) x order by x.domain) x
   cross join lateral (
     select from domains d where d.name = x.domain and d.ended_at is null for update) d;
  if replaced then
    perform domains_replace(array(
      select x.domain from unnest(items) x where x.type in ('register', 'transfer')));
  end if;
  perform domains_hold(items);
  if exists (select from unnest(items) x where x.type = 'transfer') then
    perform dns_records_of_orders(
      array(select x.order_id from unnest(items) x where x.type = 'transfer'));
  end if;
  if extended then
    perform domains_extend(array(
      select x from unnest(items) x where x.type in ('renew', 'restore')));
  end if;
end $$;

-- Ends the holdings of names that were bought again.
create or replace function domains_replace(names text[]) returns void
language sql as $$
  with ended as (
    update domains d
       set ended_at = clock_timestamp(), end_reason = 'replaced', updated_at = clock_timestamp()
     where d.name = any (names) and d.ended_at is null
    returning d.order_id
  )
  delete from domain_contacts c using ended e where c.holder = e.order_id
$$;

-- Stores the holdings of registrations and transfers.
create or replace function domains_hold(items order_settling[]) returns void
language plpgsql as $$
begin
  with held as (
    insert into domains (name, customer_id, order_id, registry, expiry, registry_expiry,
                         nameservers, period_years, epp_statuses, rgp_statuses, locked, contacts,
                         registered_at, wanted_nameservers)
    select x.domain, x.customer_id, x.order_id, x.registry, (x.holding).paid_until,
           (x.holding).registry_expiry, (x.holding).nameservers, (x.holding).period_years,
           (x.holding).epp_statuses, (x.holding).rgp_statuses, (x.holding).locked,
           (x.holding).contacts, (x.holding).registered_at, (x.holding).wanted_nameservers
      from unnest(items) x where x.type in ('register', 'transfer')
    returning id, name, registry, expiry
  )
  insert into domain_schedules (domain_id, registry, sync_at, delete_at)
  select h.id, h.registry, (x.holding).sync_at, h.expiry
    from held h join unnest(items) x on x.domain = h.name
   where x.type in ('register', 'transfer');
end $$;

-- Moves the dates of holdings that were renewed or restored.
create or replace function domains_extend(items order_settling[]) returns void
language plpgsql as $$
begin
  insert into domain_terms (domain_id, order_id, kind, years, paid_until)
  select d.id, x.order_id, 'added', y.years, years_later(d.expiry, y.years)
    from unnest(items) x
    join domains d on d.name = x.domain and d.customer_id = x.customer_id
                  and d.ended_at is null
    join orders o on o.id = x.order_id
   cross join lateral (
     select case when x.type = 'renew'
                 then coalesce((o.command->>'period_years')::integer, (x.holding).period_years)
                 when (x.holding).paid_years is not null then least((x.holding).paid_years, 1)
                 when (x.holding).paid_until > d.expiry + interval '300 days' then 1
                 else 0 end as years) y
   where y.years > 0;
  update domains d
     set expiry = coalesce((select t.paid_until from domain_terms t
                             where t.domain_id = d.id and t.order_id = x.order_id
                               and t.kind = 'added'), d.expiry),
         registry_expiry = (x.holding).registry_expiry,
         period_years = (x.holding).period_years, deletion_at = null,
         epp_statuses = coalesce((x.holding).epp_statuses, d.epp_statuses),
         rgp_statuses = coalesce((x.holding).rgp_statuses, d.rgp_statuses),
         updated_at = clock_timestamp()
    from unnest(items) x
   where d.name = x.domain and d.customer_id = x.customer_id and d.ended_at is null;
  update domain_schedules s
     set synced_at = null, sync_at = (x.holding).sync_at
    from unnest(items) x
    join domains d on d.name = x.domain and d.customer_id = x.customer_id
                  and d.ended_at is null
   where s.domain_id = d.id;
end $$;

-- Every holding has its schedule, however it was inserted. One without is read at once.
create or replace function domains_schedule_new() returns trigger
language plpgsql as $$
begin
  insert into domain_schedules (domain_id, registry, sync_at, auto_renew_at, delete_at)
  select n.id, n.registry, clock_timestamp(),
         case when n.auto_renew then n.expiry - interval '336 hours' end, n.expiry
    from new_rows n where n.ended_at is null
  on conflict (domain_id) do nothing;
  return null;
end $$;

create or replace trigger domains_schedule_new after insert on domains
  referencing new table as new_rows for each statement execute function domains_schedule_new();

-- The schedule follows the holding: its renewal is tried from 14 days before the expiry on, and its
-- deletion as unrenewed is checked again when the facts that it depends on have changed.
create or replace function domains_schedule_changed() returns trigger
language plpgsql as $$
begin
  if new.ended_at is not null then
    delete from domain_schedules where domain_id = new.id;
  elsif old.ended_at is not null then
    -- An operator found that it never ended.
    insert into domain_schedules (domain_id, registry, sync_at, auto_renew_at, delete_at)
    values (new.id, new.registry, clock_timestamp(),
            case when new.auto_renew then new.expiry - interval '336 hours' end, new.expiry);
  else
    update domain_schedules s
       set auto_renew_at = case
             when not new.auto_renew and s.auto_renew_at is null then null
             when new.expiry = old.expiry and s.auto_renew_at is not null then s.auto_renew_at
             else new.expiry - interval '336 hours' end,
           delete_at = case
             when (new.expiry, new.registry_expiry, new.rgp_statuses)
                  is distinct from (old.expiry, old.registry_expiry, old.rgp_statuses)
             then new.expiry else s.delete_at end
     where s.domain_id = new.id;
  end if;
  return null;
end $$;

create or replace trigger domains_schedule_changed
  after update of expiry, registry_expiry, rgp_statuses, auto_renew, ended_at on domains
  for each row when (
    (new.expiry, new.registry_expiry, new.rgp_statuses, new.auto_renew, new.ended_at)
    is distinct from
    (old.expiry, old.registry_expiry, old.rgp_statuses, old.auto_renew, old.ended_at))
  execute function domains_schedule_changed();

-- Hands out the next holdings that are read daily, in the order of their slots, as one task for a
-- worker: up to `most` of those whose slot has passed by `at`; returns how many. Nothing is written
-- for each of them. Slots more than a day behind are left to the next round.
create or replace function domains_enqueue_sync(of_registry text, at timestamptz, most integer)
returns integer
language plpgsql set enable_seqscan = off as $$
declare
  round sync_rounds;
  day timestamptz;
  day_end timestamptz;
  from_slot integer;
  last_slot integer;
  last_id bigint;
  looked integer := 0;
begin
  insert into sync_rounds (registry, reached_at, reached_id)
  values (of_registry, at - interval '1 day', 0) on conflict (registry) do nothing;
  select * into round from sync_rounds r where r.registry = of_registry for update;
  if round.reached_at < at - interval '1 day' then
    round.reached_at := at - interval '1 day';
    round.reached_id := 0;
  end if;
  while round.reached_at < at and looked < most loop
    day := date_trunc('day', round.reached_at, 'UTC');
    day_end := least(at, day + interval '1 day');
    from_slot := floor(extract(epoch from round.reached_at - day));
    select count(*), max(p.sync_slot),
           (array_agg(p.domain_id order by p.sync_slot desc, p.domain_id desc))[1]
      into looked, last_slot, last_id
      from (select s.sync_slot, s.domain_id from domain_schedules s
             where s.registry = of_registry
               and (s.sync_slot, s.domain_id) > (from_slot, round.reached_id)
               and s.sync_slot < floor(extract(epoch from day_end - day))::integer
             order by s.sync_slot, s.domain_id limit most) p;
    if looked > 0 then
      perform tasks_enqueue(
        'sync_domains',
        concat_ws('/', of_registry, to_char(day, 'YYYY-MM-DD'), from_slot, round.reached_id),
        of_registry,
        jsonb_build_object('after_slot', from_slot, 'after_id', round.reached_id::text,
                           'last_slot', last_slot, 'last_id', last_id::text),
        clock_timestamp(), 'keep');
    end if;
    if looked = most then
      round.reached_at := day + last_slot * interval '1 second';
      round.reached_id := last_id;
    else
      round.reached_at := day_end;
      round.reached_id := 0;
    end if;
  end loop;
  update sync_rounds r set reached_at = round.reached_at, reached_id = round.reached_id
   where r.registry = of_registry;
  return looked;
end $$;

-- However a holding ends, its transfer code is void from then on.
create or replace function domains_clear_code_at_end() returns trigger
language plpgsql set search_path = pg_catalog, public as $$
begin
  new.auth_code_hash := null;
  new.auth_code_sealed := null;
  new.auth_code_sent_sealed := null;
  new.auth_code_expires_at := null;
  new.auth_code_unset_at := null;
  return new;
end $$;

create or replace trigger domains_clear_code_at_end before insert or update on domains
  for each row when (new.ended_at is not null)
  execute function domains_clear_code_at_end();

-- Enqueues the task of the kind that the first argument names, for the time in the column that the
-- second one names, or for now.
create or replace function domains_enqueue_task() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    tg_argv[0], new.id::text, new.registry, jsonb_build_object('domain_id', new.id::text),
    coalesce((to_jsonb(new) ->> tg_argv[1])::timestamptz, clock_timestamp()), 'replace');
  return null;
end $$;

-- Enqueues the removal of authorization information at the registry.
create or replace trigger domains_enqueue_code_new after insert on domains
  for each row when (new.auth_code_unset_at is not null and new.ended_at is null)
  execute function domains_enqueue_task('unset_auth_code', 'auth_code_unset_at');
create or replace trigger domains_enqueue_code after update of auth_code_unset_at on domains
  for each row when (
    new.auth_code_unset_at is not null and new.ended_at is null
    and new.auth_code_unset_at is distinct from old.auth_code_unset_at)
  execute function domains_enqueue_task('unset_auth_code', 'auth_code_unset_at');

-- The domain is paid if its expiry is after the time from which its hold is to be lifted.
create or replace trigger domains_enqueue_lift
  after update of lift_hold_at, expiry, deletion_at on domains
  for each row when (
    new.lift_hold_at is not null and new.ended_at is null and new.deletion_at is null
    and new.expiry > new.lift_hold_at
    and (new.lift_hold_at, new.expiry, new.deletion_at)
        is distinct from (old.lift_hold_at, old.expiry, old.deletion_at))
  execute function domains_enqueue_task('lift_client_hold', 'lift_hold_at');

-- Client statuses that a former registrar left: the task looks whether it came by a transfer.
create or replace trigger domains_enqueue_clearing after insert on domains
  for each row when (
    new.ended_at is null
    and new.epp_statuses && array['clientUpdateProhibited', 'clientDeleteProhibited',
                                  'clientRenewProhibited', 'clientHold'])
  execute function domains_enqueue_task('remove_client_statuses');

create or replace trigger domains_enqueue_nameservers_new after insert on domains
  for each row when (new.wanted_nameservers is not null and new.ended_at is null)
  execute function domains_enqueue_task('set_ordered_nameservers');
create or replace trigger domains_enqueue_nameservers after update of wanted_nameservers on domains
  for each row when (
    new.wanted_nameservers is not null and new.ended_at is null
    and new.wanted_nameservers is distinct from old.wanted_nameservers)
  execute function domains_enqueue_task('set_ordered_nameservers');
