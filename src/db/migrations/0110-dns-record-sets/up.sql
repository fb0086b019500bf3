-- compatible from: 0001
-- The record sets of a holding, of every type, served whenever the domain is delegated to us. They
-- belong to the holding, so a later holder of the name never inherits them.
create table dns_record_sets (
  domain_id bigint not null references domains (id),
  -- The whole name from its end, "com.example.www": all names below a name begin with it.
  path text collate "C" not null,
  -- By number (RFC 1035 3.2.2); none of those that are managed.
  type integer not null check (type between 1 and 65534),
  -- Relative to the domain: "@", "www", "*".
  host text not null,
  ttl integer not null check (ttl between 1 and 86400),
  -- Canonical RDATA octets (RFC 4034 6.2), sorted, each once.
  rdata bytea[] not null check (cardinality(rdata) between 1 and 100),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (domain_id, path, type)
);

-- The serial of a holding's records: it grows with every change, also while no zone is served.
create table dns_record_serials (
  domain_id bigint primary key references domains (id),
  serial bigint not null
);

-- Changes of records, each with the sets as they were before and after it, so that it can be taken
-- back. They end with the holding.
create table dns_changes (
  id text primary key check (id ~ '^dch_[0-9a-z]{26}$'),
  -- The order of the changes of a holding.
  pos bigint generated always as identity,
  domain_id bigint not null references domains (id),
  customer_id text not null,
  -- Of the records after it.
  serial bigint not null,
  -- The operation.
  action text not null,
  -- As in the audit log: the kind of the caller, its name, and how it came in.
  actor_type text not null,
  actor_label text,
  entry_point text not null,
  -- The change that it took back.
  reverts text,
  -- [{host, type, before: {ttl, rdata: [hexadecimal]} or null, after: the same}]
  sets jsonb not null,
  -- Of `sets` as text.
  octets integer not null check (octets > 0),
  created_at timestamptz not null default clock_timestamp()
);
create index dns_changes_of_domain on dns_changes (domain_id, pos);
create index dns_changes_of_customer on dns_changes (customer_id, pos);
create index dns_changes_created_at on dns_changes (created_at);

-- The octets that the changes of an account take, so that none keeps more than its share.
create table dns_change_octets (
  customer_id text primary key,
  octets bigint not null check (octets >= 0)
);

-- The address of an A record as octets, and back.
create function dns_ipv4_octets(value text) returns bytea
language sql immutable strict as $$
  select decode(string_agg(lpad(to_hex(part::integer), 2, '0'), '' order by i), 'hex')
    from unnest(string_to_array(value, '.')) with ordinality as p (part, i)
$$;
create function dns_ipv4_text(rdata bytea) returns text
language sql immutable strict as $$
  select format('%s.%s.%s.%s', get_byte(rdata, 0), get_byte(rdata, 1), get_byte(rdata, 2),
                get_byte(rdata, 3))
$$;

-- Nodes of before read and write zone_records, which has one address a host: each table follows the
-- other.
create function zone_records_mirror() returns trigger
language plpgsql as $$
begin
  if pg_trigger_depth() > 1 then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from dns_record_sets s
     where s.domain_id = old.domain_id and s.path = old.path and s.type = 1;
    return null;
  end if;
  insert into dns_record_sets as s (domain_id, path, type, host, ttl, rdata)
  values (new.domain_id, new.path, 1, new.host, least(new.ttl, 86400),
          array[dns_ipv4_octets(new.value)])
  on conflict (domain_id, path, type) do update
    set ttl = excluded.ttl, rdata = excluded.rdata, updated_at = clock_timestamp();
  return null;
end $$;
create trigger zone_records_mirror after insert or update or delete on zone_records
  for each row execute function zone_records_mirror();

-- The trigger keeps out writers until the end of this transaction.
insert into dns_record_sets (domain_id, path, type, host, ttl, rdata, created_at, updated_at)
select r.domain_id, r.path, 1, r.host, least(r.ttl, 86400), array[dns_ipv4_octets(r.value)],
       r.created_at, r.updated_at
  from zone_records r;

create function dns_record_sets_mirror() returns trigger
language plpgsql as $$
begin
  if pg_trigger_depth() > 1 then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from zone_records r where r.domain_id = old.domain_id and r.path = old.path;
    return null;
  end if;
  insert into zone_records as r (domain_id, path, host, value, ttl)
  values (new.domain_id, new.path, new.host, dns_ipv4_text(new.rdata[1]), new.ttl)
  on conflict (domain_id, path) do update
    set value = excluded.value, ttl = excluded.ttl, updated_at = clock_timestamp();
  return null;
end $$;
create trigger dns_record_sets_mirror after insert or update on dns_record_sets
  for each row when (new.type = 1) execute function dns_record_sets_mirror();
create trigger dns_record_sets_mirror_delete after delete on dns_record_sets
  for each row when (old.type = 1) execute function dns_record_sets_mirror();
