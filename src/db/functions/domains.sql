-- The holdings that succeeded orders bought. An older holding of the name has ended, or the
-- registry would not have given it away. The contacts stay in use under the order, whose id the
-- holding knows. A renewal or a restore moves paid until by its years, whatever date came with it;
-- the other facts are read from the registry at once, unless they are known.
create or replace function domains_bought(items order_settling[]) returns void
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
    with ended as (
      update domains d
         set ended_at = clock_timestamp(), end_reason = 'replaced',
             updated_at = clock_timestamp()
        from unnest(items) x
       where x.type in ('register', 'transfer') and d.name = x.domain and d.ended_at is null
      returning d.order_id
    )
    delete from domain_contacts c using ended e where c.holder = e.order_id;
  end if;
  insert into domains (name, customer_id, order_id, registry, expiry, registry_expiry, nameservers,
                       period_years, epp_statuses, rgp_statuses, locked, contacts,
                       registered_at, sync_at, wanted_nameservers)
  select x.domain, x.customer_id, x.order_id, x.registry, (x.holding).expires_at,
         (x.holding).registry_expiry, (x.holding).nameservers, (x.holding).period_years,
         (x.holding).epp_statuses, (x.holding).rgp_statuses, (x.holding).locked,
         (x.holding).contacts, (x.holding).registered_at, (x.holding).sync_at,
         (x.holding).wanted_nameservers
    from unnest(items) x where x.type in ('register', 'transfer');
  if extended then
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
                   when (x.holding).expires_at > d.expiry + interval '300 days' then 1
                   else 0 end as years) y
     where x.type in ('renew', 'restore') and y.years > 0;
    update domains d
       set expiry = coalesce((select t.paid_until from domain_terms t
                               where t.domain_id = d.id and t.order_id = x.order_id
                                 and t.kind = 'added'), d.expiry),
           registry_expiry = (x.holding).registry_expiry,
           period_years = (x.holding).period_years, deletion_at = null, synced_at = null,
           epp_statuses = coalesce((x.holding).epp_statuses, d.epp_statuses),
           rgp_statuses = coalesce((x.holding).rgp_statuses, d.rgp_statuses),
           sync_at = (x.holding).sync_at, updated_at = clock_timestamp()
      from unnest(items) x
     where x.type in ('renew', 'restore') and d.name = x.domain
       and d.customer_id = x.customer_id and d.ended_at is null;
  end if;
end $$;

-- However a holding ends, its transfer code is void from then on.
create or replace function domains_forget_code_at_end() returns trigger
language plpgsql set search_path = pg_catalog, public as $$
begin
  new.auth_code_hash := null;
  new.auth_code_sealed := null;
  new.auth_code_sent_sealed := null;
  new.auth_code_expires_at := null;
  new.auth_code_unset_at := null;
  return new;
end $$;

create or replace trigger domains_forget_code_at_end before insert or update on domains
  for each row when (new.ended_at is not null)
  execute function domains_forget_code_at_end();

-- Enqueues the removal of authorization information at the registry.
create or replace function domains_enqueue_code() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'unset_auth_code', new.id::text, new.registry, jsonb_build_object('domain_id', new.id::text),
    new.auth_code_unset_at, 'replace');
  return null;
end $$;

create or replace trigger domains_enqueue_code_new after insert on domains
  for each row when (new.auth_code_unset_at is not null and new.ended_at is null)
  execute function domains_enqueue_code();
create or replace trigger domains_enqueue_code after update of auth_code_unset_at on domains
  for each row when (
    new.auth_code_unset_at is not null and new.ended_at is null
    and new.auth_code_unset_at is distinct from old.auth_code_unset_at)
  execute function domains_enqueue_code();

create or replace function domains_enqueue_lift() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'lift_client_hold', new.id::text, new.registry, jsonb_build_object('domain_id', new.id::text),
    new.lift_hold_at, 'replace');
  return null;
end $$;

-- It is paid: its expiry is after the time from which its hold is to be lifted.
create or replace trigger domains_enqueue_lift
  after update of lift_hold_at, expiry, deletion_at on domains
  for each row when (
    new.lift_hold_at is not null and new.ended_at is null and new.deletion_at is null
    and new.expiry > new.lift_hold_at
    and (new.lift_hold_at, new.expiry, new.deletion_at)
        is distinct from (old.lift_hold_at, old.expiry, old.deletion_at))
  execute function domains_enqueue_lift();

create or replace function domains_enqueue_nameservers() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'set_ordered_nameservers', new.id::text, new.registry,
    jsonb_build_object('domain_id', new.id::text), clock_timestamp(), 'replace');
  return null;
end $$;

create or replace trigger domains_enqueue_nameservers_new after insert on domains
  for each row when (new.wanted_nameservers is not null and new.ended_at is null)
  execute function domains_enqueue_nameservers();
create or replace trigger domains_enqueue_nameservers after update of wanted_nameservers on domains
  for each row when (
    new.wanted_nameservers is not null and new.ended_at is null
    and new.wanted_nameservers is distinct from old.wanted_nameservers)
  execute function domains_enqueue_nameservers();
