-- What a registry is told of a contact, in one word: two are the same when their digests are.
create function registrant_digest(c contacts) returns text
language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    c.id, c.name, c.email, c.company_name, c.address, c.address_line_2, c.city, c.state, c.country,
    c.zip, c.phone_country_code, c.phone_number)::text, 'UTF8')), 'hex')
$$;

create table provider_clients (
  customer_id text not null references customers (id),
  registry text not null,
  -- Where the registry stands in the registries file: the first one is shown.
  place integer not null,
  client_id text not null,
  -- Of the registrant that the registry last took or refused; null before.
  digest text,
  state text not null check (state in ('none', 'active', 'failed')),
  reconciled_at timestamptz,
  last_error text,
  failures integer not null default 0,
  try_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null,
  primary key (customer_id, registry)
);

-- The customer's provider client as it is shown; stale once the default registrant is another, or
-- tells other facts. Null before the first reconciling.
create function provider_client_of(of_customer text) returns jsonb
language sql stable as $$
  select jsonb_build_object(
           'provider', p.registry, 'client_id', p.client_id, 'reconciled_at', p.reconciled_at,
           'state', case when p.state = 'active' and p.digest is distinct from registrant_digest(c)
                         then 'stale' else p.state end)
    from provider_clients p
    left join contacts c on c.customer_id = p.customer_id and c.default_registrant
   where p.customer_id = of_customer
   order by p.place, p.registry limit 1
$$;

alter table customers drop column provider_client;
