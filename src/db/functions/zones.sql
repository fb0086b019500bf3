-- Seconds, so that the serial of a zone that is created again is above its last one (RFC 1982).
create or replace function zones_next_serial(last bigint) returns bigint
language sql as $$
  select greatest(floor(extract(epoch from clock_timestamp()))::bigint, coalesce(last, 0) + 1)
$$;

-- The name servers of a holding in the order of our own, with spaces between; null: not all of them
-- are ours.
create or replace function zones_hosts(held text[]) returns text
language plpgsql stable as $$
begin
  return (
    select string_agg(own.name, ' ' order by own.i)
      from own_nameservers o cross join lateral unnest(o.names) with ordinality as own (name, i)
     where held <@ o.names and own.name = any (held));
end $$;

-- Serves zones; `hosts` are those of zones_hosts.
create or replace function zones_serve(
  names text[], ids bigint[], customers text[], hosts text[]) returns void
language plpgsql as $$
begin
  insert into zones as z (name, domain_id, customer_id, nameservers, serial, state)
  select x.name, x.id, x.customer_id, string_to_array(x.hosts, ' '),
         zones_next_serial(null), 'served'
    from unnest(names, ids, customers, hosts) as x (name, id, customer_id, hosts)
  on conflict (name) do update
    set domain_id = excluded.domain_id, customer_id = excluded.customer_id,
        nameservers = excluded.nameservers, serial = zones_next_serial(z.serial),
        state = 'served', updated_at = clock_timestamp()
    where (z.domain_id, z.state, z.nameservers)
          is distinct from (excluded.domain_id, 'served', excluded.nameservers);
end $$;

-- Creates or ends the zone of a holding, by the holding's facts; returns whether it has one now. It
-- runs within the transactions that buy and end holdings: no wait for anything outside, no
-- constraint that its inputs could violate.
create or replace function zones_apply_holding(held domains) returns boolean
language plpgsql as $$
declare
  hosts text := case when held.ended_at is null then zones_hosts(held.nameservers) end;
begin
  if hosts is not null then
    perform zones_serve(array[held.name], array[held.id], array[held.customer_id], array[hosts]);
    return true;
  end if;
  delete from zones z
   where z.name = held.name and z.domain_id = held.id and z.state = 'served'
     and z.pushed_serial is null;
  if found then
    perform tasks_cancel('push_zone', held.name);
  else
    update zones z
       set state = 'dropped', serial = zones_next_serial(z.serial),
           updated_at = clock_timestamp()
     where z.name = held.name and z.domain_id = held.id and z.state = 'served';
  end if;
  return false;
end $$;

-- Once for all holdings of a batch, in the order of names. None of them has a zone yet.
create or replace function domains_zone_insert() returns trigger
language plpgsql as $$
declare
  names text[];
  ids bigint[];
  customers text[];
  hosts text[];
begin
  select array_agg(n.name order by n.name), array_agg(n.id order by n.name),
         array_agg(n.customer_id order by n.name), array_agg(n.hosts order by n.name)
    into names, ids, customers, hosts
    from (select n.name, n.id, n.customer_id, zones_hosts(n.nameservers) as hosts
            from new_rows n where n.ended_at is null) n
   where n.hosts is not null;
  if names is not null then
    perform zones_serve(names, ids, customers, hosts);
  end if;
  return null;
end $$;

-- Records live as long as the holding: on other name servers they are kept, and served again on
-- return.
create or replace function domains_zone_update() returns trigger
language plpgsql as $$
begin
  perform zones_apply_holding(new);
  if new.ended_at is not null then
    delete from zone_records r where r.domain_id = new.id;
  end if;
  return null;
end $$;

create or replace trigger domains_zone_insert after insert on domains
  referencing new table as new_rows for each statement execute function domains_zone_insert();
-- For each row: a trigger with transition tables takes no list of columns and no condition, so it
-- would run for every update of domains.
create or replace trigger domains_zone_update after update of nameservers, ended_at on domains
  for each row
  when (old.nameservers is distinct from new.nameservers
        or (old.ended_at is null) <> (new.ended_at is null))
  execute function domains_zone_update();

-- Enqueues the push of a zone that is new or has changed, where zones are pushed to a provider. The
-- bulkhead is the provider, so that a node with another one does not claim it.
create or replace function zones_enqueue_push() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
            'push_zone', new.name, o.provider, jsonb_build_object('name', new.name),
            clock_timestamp(), 'replace')
     from own_nameservers o where o.provider is not null;
  return null;
end $$;

create or replace trigger zones_enqueue_push_new after insert on zones
  for each row execute function zones_enqueue_push();
create or replace trigger zones_enqueue_push after update of serial on zones
  for each row when (new.serial <> old.serial) execute function zones_enqueue_push();

-- Sets the provider that zones are pushed to (null: none); returns whether it differs from the
-- previous one. All zones are enqueued for it afterwards (zones_requeue). The lock waits for
-- transactions that wrote zones and may have enqueued them for the provider before.
create or replace function zones_set_provider(chosen text) returns boolean
language plpgsql as $$
begin
  if exists (select from own_nameservers o where o.provider is not distinct from chosen) then
    return false;
  end if;
  lock table zones in share mode;
  update own_nameservers
     set provider = chosen, requeue_after = case when chosen is not null then '' end
   where provider is distinct from chosen;
  return found;
end $$;

-- Enqueues the next zones for a new provider; returns whether some may be left. An attempt to push
-- them to the previous provider loses its lease, so that it marks nothing as pushed.
create or replace function zones_requeue(of_provider text, most integer) returns boolean
language plpgsql as $$
declare
  reached text;
  page text[];
begin
  select o.requeue_after into reached from own_nameservers o
   where o.provider = of_provider and o.requeue_after is not null for no key update;
  if not found then
    return false;
  end if;
  page := array(
    select z.name from zones z where z.name > reached order by z.name limit most for no key update);
  update zones z set pushed_serial = 0 where z.name = any (page) and z.pushed_serial is not null;
  perform tasks_enqueue(
            'push_zone', n.name, of_provider, jsonb_build_object('name', n.name),
            clock_timestamp(), 'replace')
     from unnest(page) as n (name);
  update tasks set lease_until = null, lease_token = null
   where kind = 'push_zone' and key = any (page) and lease_token is not null;
  update own_nameservers
     set requeue_after = case when cardinality(page) = most then page[most] end;
  return cardinality(page) = most;
end $$;
