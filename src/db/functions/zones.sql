-- Seconds, so that a zone that comes back begins above where it ended (RFC 1982 order holds).
create or replace function zones_next_serial(last bigint) returns bigint
language sql as $$
  select greatest(floor(extract(epoch from clock_timestamp()))::bigint, coalesce(last, 0) + 1)
$$;

-- Gives a holding its zone, or takes it, as its facts say; answers whether it has one now. It runs
-- within the transactions that buy and end holdings: no wait for anything outside, no constraint
-- that its inputs could break. `is_new`: there cannot be a zone for it yet.
create or replace function zones_follow(held domains, is_new boolean default false) returns boolean
language plpgsql as $$
declare
  hosts text[];
begin
  select array(select own.name from unnest(o.names) with ordinality as own (name, i)
                where own.name = any (held.nameservers) order by own.i)
    into hosts
    from own_nameservers o
   where held.ended_at is null and held.nameservers <> '{}' and held.nameservers <@ o.names;
  if found then
    insert into zones as z (name, domain_id, customer_id, nameservers, serial, state)
    values (held.name, held.id, held.customer_id, hosts, zones_next_serial(null), 'served')
    on conflict (name) do update
      set domain_id = excluded.domain_id, customer_id = excluded.customer_id,
          nameservers = excluded.nameservers, serial = zones_next_serial(z.serial),
          state = 'served', push_at = clock_timestamp(), push_failures = 0,
          updated_at = clock_timestamp()
      where (z.domain_id, z.state, z.nameservers)
            is distinct from (excluded.domain_id, 'served', excluded.nameservers);
    return true;
  end if;
  if is_new then
    return false;
  end if;
  delete from zones z
   where z.name = held.name and z.domain_id = held.id and z.state = 'served'
     and z.pushed_serial is null;
  if not found then
    update zones z
       set state = 'dropped', serial = zones_next_serial(z.serial), push_at = clock_timestamp(),
           push_failures = 0, updated_at = clock_timestamp()
     where z.name = held.name and z.domain_id = held.id and z.state = 'served';
  end if;
  return false;
end $$;

create or replace function domains_zone() returns trigger
language plpgsql as $$
begin
  if not zones_follow(new, tg_op = 'INSERT') and tg_op = 'UPDATE' then
    delete from zone_records r where r.domain_id = new.id;
  end if;
  return null;
end $$;

create or replace trigger domains_zone_of_new after insert on domains
  for each row execute function domains_zone();
create or replace trigger domains_zone_of_changed after update of nameservers, ended_at on domains
  for each row
  when (old.nameservers is distinct from new.nameservers
        or (old.ended_at is null) <> (new.ended_at is null))
  execute function domains_zone();

-- Repairs up to `most` zones that are not as their holdings say, which a change of the own name
-- servers makes; answers how many. In the order of names, as settling locks them; a
-- holding that is being changed is left to its own trigger. Records stay: the list may be
-- wrong.
create or replace function zones_mend(most integer) returns integer
language plpgsql as $$
declare
  held domains;
  mended integer := 0;
begin
  for held in
    select d.*
      from own_nameservers o
     cross join domains d
      left join zones z on z.name = d.name and z.domain_id = d.id and z.state = 'served'
     cross join lateral (
       select d.ended_at is null and d.nameservers <> '{}' and d.nameservers <@ o.names as wanted,
              z.nameservers <@ d.nameservers and z.nameservers @> d.nameservers as as_wanted) w
     where (d.ended_at is null or z.name is not null)
       and case when w.wanted then w.as_wanted is not true else z.name is not null end
     order by d.name
     limit most
       for no key update of d skip locked
  loop
    perform zones_follow(held);
    mended := mended + 1;
  end loop;
  return mended;
end $$;
