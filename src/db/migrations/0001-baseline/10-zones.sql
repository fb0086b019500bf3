-- The name servers that are ours: the value of the service's setting at its last start.
create table own_nameservers (
  one_row boolean primary key default true check (one_row),
  names text[] not null,
  -- The provider of DNS that all nodes push to. Null: none, the name server in each node's process
  -- serves.
  provider text,
  -- How far, by name, the zones were queued for it; null: all are.
  requeue_after text
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
  -- The serial that the provider has; 0: it may have it. Null: it was never pushed.
  pushed_serial bigint,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
) with (fillfactor = 80);
-- A record sets. They belong to the holding, so a later holder of the name never inherits them.
create table zone_records (
  domain_id bigint not null references domains (id),
  -- The whole name from its end, "com.example.www": all names below a name begin with it.
  path text collate "C" not null,
  -- As its owner names it: "@", "www", "*".
  host text not null,
  value text not null check (value ~ '^[0-9]{1,3}(\.[0-9]{1,3}){3}$'),
  ttl integer not null check (ttl > 0),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (domain_id, path)
);
