-- The serial counts seconds, so that it is above its last one if a zone is created again (RFC
-- 1982).
create or replace function zones_next_serial(last bigint) returns bigint
language sql as $$
  select greatest(floor(extract(epoch from clock_timestamp()))::bigint, coalesce(last, 0) + 1)
$$;

-- The name servers of a holding in the order of our own, separated by spaces, or null if not all of
-- them are ours.
create or replace function zones_hosts(held text[]) returns text
language plpgsql stable as $$
begin
  return (
    select string_agg(own.name, ' ' order by own.i)
      from own_nameservers o cross join lateral unnest(o.names) with ordinality as own (name, i)
     where held <@ o.names and own.name = any (held));
end $$;

-- Serves zones; `hosts` are the name servers of zones_hosts.
create or replace function zones_serve(
  names text[], ids bigint[], customers text[], hosts text[]) returns void
language plpgsql as $$
begin
  insert into zones as z (name, domain_id, customer_id, nameservers, serial, state)
  select x.name, x.id, x.customer_id, string_to_array(x.hosts, ' '),
         zones_next_serial(r.serial), 'served'
    from unnest(names, ids, customers, hosts) as x (name, id, customer_id, hosts)
    left join dns_record_serials r on r.domain_id = x.id
  on conflict (name) do update
    set domain_id = excluded.domain_id, customer_id = excluded.customer_id,
        nameservers = excluded.nameservers,
        serial = greatest(excluded.serial, zones_next_serial(z.serial)),
        state = 'served', updated_at = clock_timestamp()
    where (z.domain_id, z.state, z.nameservers)
          is distinct from (excluded.domain_id, 'served', excluded.nameservers);
end $$;

-- Creates or ends the zone of a holding, by the holding's facts; returns whether it has one now. It
-- runs within the transactions that buy and end holdings, so it waits for nothing outside, and has
-- no constraint that its inputs could violate. A zone that leaves (zones_leave) stays until its
-- time.
create or replace function zones_apply_holding(held domains) returns boolean
language plpgsql as $$
declare
  hosts text := case when held.ended_at is null then zones_hosts(held.nameservers) end;
begin
  if hosts is not null then
    perform zones_serve(array[held.name], array[held.id], array[held.customer_id], array[hosts]);
    update zones z set leaves_at = null where z.name = held.name and z.leaves_at is not null;
    return true;
  end if;
  if held.ended_at is null and exists (
       select from zones z where z.name = held.name and z.domain_id = held.id
          and z.state = 'served' and z.leaves_at > clock_timestamp()) then
    perform zones_leave(held);
    return true;
  end if;
  delete from zones z
   where z.name = held.name and z.domain_id = held.id and z.state = 'served'
     and z.pushed_serial is null;
  if found then
    perform tasks_cancel('push_zone', held.name);
  else
    update zones z
       set state = 'dropped', leaves_at = null, serial = zones_next_serial(z.serial),
           updated_at = clock_timestamp()
     where z.name = held.name and z.domain_id = held.id and z.state = 'served';
  end if;
  return false;
end $$;

-- Goes on serving the zone of a holding that has other name servers now, which its NS records name:
-- resolvers keep a delegation for as long as its TTL, two days at the largest registries.
create or replace function zones_leave(held domains) returns void
language plpgsql as $$
begin
  update zones z
     set leaves_at = coalesce(z.leaves_at, clock_timestamp() + interval '48 hours'),
         nameservers = held.nameservers, serial = zones_next_serial(z.serial),
         updated_at = clock_timestamp()
   where z.name = held.name and z.domain_id = held.id and z.state = 'served'
     and (z.leaves_at is null or z.nameservers <> held.nameservers);
end $$;

-- Called once for all holdings of a batch, in the order of names. None of them has a zone yet.
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
  if new.ended_at is null and new.nameservers <> '{}' and zones_hosts(new.nameservers) is null
     and zones_hosts(old.nameservers) is not null then
    perform zones_leave(new);
  else
    perform zones_apply_holding(new);
  end if;
  if new.ended_at is not null then
    delete from zone_records r where r.domain_id = new.id;
    delete from dns_record_sets s where s.domain_id = new.id;
    delete from dns_record_serials s where s.domain_id = new.id;
    delete from dns_changes c where c.domain_id = new.id;
    delete from tsig_keys k where k.domain_id = new.id;
    delete from waiting_nameservers w where w.domain_id = new.id;
    delete from nameserver_confirmations n where n.domain_id = new.id;
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

-- Sets the provider that zones are pushed to, or none if it is null; returns whether it differs
-- from the previous one. All zones are enqueued for it afterwards (zones_requeue). The lock waits
-- for transactions that wrote zones and may have enqueued them for the provider before.
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

-- The serial of a holding's records, also while no zone of it is served.
create or replace function dns_records_serial(domain bigint) returns bigint
language sql stable as $$
  select greatest((select r.serial from dns_record_serials r where r.domain_id = domain),
                  (select z.serial from domains d
                     join zones z on z.name = d.name and z.domain_id = d.id and z.state = 'served'
                    where d.id = domain), 0)
$$;

-- Gives the records of a holding, which is locked, and its zone the next serial, and returns it.
create or replace function dns_records_touch(domain bigint) returns bigint
language plpgsql as $$
declare
  held domains;
  next_serial bigint;
begin
  select * into held from domains d where d.id = domain;
  -- A zone that it should have and does not have is made now.
  if not exists (select from zones z where z.name = held.name and z.domain_id = domain
                    and z.state = 'served') then
    perform zones_apply_holding(held) where zones_hosts(held.nameservers) is not null;
  end if;
  next_serial := zones_next_serial(dns_records_serial(domain));
  insert into dns_record_serials as r (domain_id, serial) values (domain, next_serial)
  on conflict (domain_id) do update set serial = excluded.serial;
  update zones z set serial = next_serial, updated_at = clock_timestamp()
   where z.name = held.name and z.domain_id = domain and z.state = 'served';
  return next_serial;
end $$;

-- Replaces record sets of a holding, which is locked; a set without values is deleted. `wanted`:
-- [{path, type, host, ttl, rdata: [hexadecimal]}].
create or replace function dns_records_put(domain bigint, wanted jsonb) returns void
language plpgsql as $$
begin
  delete from dns_record_sets s
   using jsonb_to_recordset(wanted) as w (path text, type integer, rdata text[])
   where s.domain_id = domain and s.path = w.path and s.type = w.type and w.rdata = '{}';
  insert into dns_record_sets as s (domain_id, path, type, host, ttl, rdata)
  select domain, w.path, w.type, w.host, w.ttl,
         array(select decode(v.value, 'hex') from unnest(w.rdata) as v (value))
    from jsonb_to_recordset(wanted)
           as w (path text, type integer, host text, ttl integer, rdata text[])
   where w.rdata <> '{}'
  on conflict (domain_id, path, type) do update
    set ttl = excluded.ttl, rdata = excluded.rdata, updated_at = clock_timestamp();
end $$;

-- A change that waits for its confirmation does not go back once the owner has protected the
-- domain. By a trigger, so that a node of the version before notes it, too.
create or replace function domains_note_protection() returns trigger
language plpgsql as $$
begin
  update dns_confirmations o set protected_since = true
   where o.domain_id = new.id and o.state = 'unconfirmed';
  update nameserver_confirmations n set protected_since = true
   where n.domain_id = new.id and n.state = 'unconfirmed';
  return null;
end $$;
create or replace trigger domains_note_protection after update of protected on domains
  for each row when (new.protected and not old.protected)
  execute function domains_note_protection();

-- Deletes the oldest changes beyond `most` of a holding, and those of the account beyond
-- `most_octets`, but for the newest of the holding, and those that go back by themselves.
create or replace function dns_changes_trim(
  domain bigint, customer text, most integer, most_octets bigint) returns void
language plpgsql as $$
declare
  newest bigint := (select max(c.pos) from dns_changes c where c.domain_id = domain);
  excess bigint;
begin
  delete from dns_changes c
   where c.domain_id = domain and c.pos not in (
           select p.pos from dns_confirmations o join dns_changes p on p.id = o.change_id
            where o.domain_id = domain and o.state = 'unconfirmed')
     and c.pos <= (select b.pos from dns_changes b where b.domain_id = domain
                    order by b.pos desc offset most limit 1);
  select o.octets - most_octets into excess
    from dns_change_octets o where o.customer_id = customer;
  if excess > 0 then
    delete from dns_changes c
     where c.customer_id = customer and c.pos <> newest
       and not exists (select from dns_confirmations o
                        where o.change_id = c.id and o.state = 'unconfirmed')
       and c.pos <= (select max(b.pos)
                       from (select a.pos, sum(a.octets) over (order by a.pos) - a.octets as before
                               from dns_changes a where a.customer_id = customer
                              order by a.pos) b
                      where b.before < excess + most_octets / 20);
  end if;
end $$;

-- Puts the records of transfers in into the zones of their holdings, which were just made, each as
-- a change that can be taken back. In the order of customers, whose octets are counted.
create or replace function dns_records_of_orders(order_ids text[]) returns void
language plpgsql as $$
declare
  ordered record;
begin
  for ordered in
    select o.*, d.id as domain_id,
           (select jsonb_agg(jsonb_build_object(
                     'host', w.host, 'type', w.type, 'before', null,
                     'after', jsonb_build_object('ttl', w.ttl, 'rdata', w.rdata)))
              from jsonb_to_recordset(o.sets)
                     as w (host text, type integer, ttl integer, rdata jsonb)) as changed
      from ordered_dns_records o
      join domains d on d.order_id = o.order_id and d.customer_id = o.customer_id
                    and d.ended_at is null
     where o.order_id = any (order_ids)
     order by o.customer_id, d.name
  loop
    perform dns_records_put(ordered.domain_id, ordered.sets);
    insert into dns_changes (id, domain_id, customer_id, serial, action, actor_type, actor_label,
                             entry_point, sets, octets)
    values (ordered.change_id, ordered.domain_id, ordered.customer_id,
            dns_records_touch(ordered.domain_id), 'transfer_domain', ordered.actor_type,
            ordered.actor_label, ordered.entry_point, ordered.changed,
            octet_length(ordered.changed::text));
    perform dns_changes_trim(ordered.domain_id, ordered.customer_id, 1000, 52428800);
  end loop;
  delete from ordered_dns_records o where o.order_id = any (order_ids);
end $$;

create or replace function dns_changes_count_octets() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into dns_change_octets as o (customer_id, octets)
    select n.customer_id, sum(n.octets) from new_rows n group by n.customer_id
    on conflict (customer_id) do update set octets = o.octets + excluded.octets;
  else
    update dns_change_octets o set octets = greatest(o.octets - g.octets, 0)
      from (select r.customer_id, sum(r.octets) as octets from old_rows r group by r.customer_id) g
     where o.customer_id = g.customer_id;
  end if;
  return null;
end $$;

create or replace trigger dns_changes_count_more after insert on dns_changes
  referencing new table as new_rows for each statement execute function dns_changes_count_octets();
create or replace trigger dns_changes_count_fewer after delete on dns_changes
  referencing old table as old_rows for each statement execute function dns_changes_count_octets();
