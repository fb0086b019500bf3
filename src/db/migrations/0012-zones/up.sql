-- The name servers that are ours: what the service's setting said at its last start.
create table own_nameservers (
  one_row boolean primary key default true check (one_row),
  names text[] not null
);
insert into own_nameservers (names) values ('{}');

-- The zones that our name servers serve: one for each holding that is delegated to them.
create table zones (
  name text primary key,
  domain_id bigint not null,
  customer_id text not null,
  nameservers text[] not null,
  -- Of its SOA. It grows with every change, also when the zone was dropped and made again.
  serial bigint not null,
  state text not null check (state in ('served', 'dropped')),
  -- The serial that the provider has; 0: it may have heard of the zone. Null: nobody was told.
  pushed_serial bigint,
  push_at timestamptz not null default clock_timestamp(),
  push_failures integer not null default 0,
  push_error text,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
) with (fillfactor = 80);
create index zones_to_push on zones (push_at) where pushed_serial is distinct from serial;

-- A record sets. They belong to the holding, so a later holder of the name never inherits them.
create table zone_records (
  domain_id bigint not null references domains (id),
  -- The whole name from its end, "com.example.www": whatever lies below a name begins with it.
  path text collate "C" not null,
  -- As its owner names it: "@", "www", "*".
  host text not null,
  value text not null check (value ~ '^[0-9]{1,3}(\.[0-9]{1,3}){3}$'),
  ttl integer not null check (ttl > 0),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (domain_id, path)
);

-- Seconds, so that a zone that comes back begins above where it ended (RFC 1982 order holds).
create function zones_next_serial(last bigint) returns bigint
language sql as $$
  select greatest(floor(extract(epoch from clock_timestamp()))::bigint, coalesce(last, 0) + 1)
$$;

-- Gives a holding its zone, or takes it, as its facts say; answers whether it has one now. It runs
-- within the transactions that buy and end holdings: no wait for anybody outside, no constraint
-- that its inputs could break. `is_new`: nobody can have had a zone for it yet.
create function zones_follow(held domains, is_new boolean default false) returns boolean
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

create function domains_zone() returns trigger
language plpgsql as $$
begin
  if not zones_follow(new, tg_op = 'INSERT') and tg_op = 'UPDATE' then
    delete from zone_records r where r.domain_id = new.id;
  end if;
  return null;
end $$;
create trigger domains_zone_of_new after insert on domains
  for each row execute function domains_zone();
create trigger domains_zone_of_changed after update of nameservers, ended_at on domains
  for each row
  when (old.nameservers is distinct from new.nameservers
        or (old.ended_at is null) <> (new.ended_at is null))
  execute function domains_zone();

-- Mends up to `most` zones that are not as their holdings say, which a change of the own name
-- servers makes; answers how many. In the order of names, as those who settle orders lock them; a
-- holding that somebody changes now is left to its own trigger. Records stay: the list may be
-- wrong.
create function zones_mend(most integer) returns integer
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
