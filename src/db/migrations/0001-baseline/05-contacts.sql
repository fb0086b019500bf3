create table contacts (
  id bigint generated always as identity primary key,
  customer_id text not null references customers (id),
  handle text not null check (length(handle) between 1 and 120),
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 320),
  company_name text check (length(company_name) between 1 and 200),
  address text not null check (length(address) between 1 and 300),
  address_line_2 text check (length(address_line_2) between 1 and 300),
  city text not null check (length(city) between 1 and 120),
  state text not null check (length(state) between 1 and 120),
  country text not null check (country ~ '^[A-Z]{2}$'),
  zip text not null check (length(zip) between 1 and 32),
  phone_country_code text not null check (length(phone_country_code) between 1 and 8),
  phone_number text not null check (length(phone_number) between 1 and 32),
  default_registrant boolean not null,
  default_admin boolean not null,
  default_technical boolean not null,
  default_billing boolean not null,
  -- Grows with every change that a registry should know of.
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index contacts_handle_of_customer
  on contacts (customer_id, lower(handle collate "C"));
create index contacts_of_customer on contacts (customer_id, id);
create unique index contacts_one_registrant on contacts (customer_id) where default_registrant;
create unique index contacts_one_admin on contacts (customer_id) where default_admin;
create unique index contacts_one_technical on contacts (customer_id) where default_technical;
create unique index contacts_one_billing on contacts (customer_id) where default_billing;

-- Uses of a contact: by an open order, or by the holding that it made. Written with them; a contact
-- in use cannot be deleted. Its roles are in the order's command and in domains.contacts.
create table domain_contacts (
  -- The order's id.
  holder text not null,
  contact_id bigint not null references contacts (id) on delete restrict,
  primary key (holder, contact_id)
);
create index domain_contacts_of_contact on domain_contacts (contact_id);

-- The contact objects that stand for a contact, at most one a registry.
create table registry_contacts (
  contact_id bigint not null references contacts (id) on delete cascade,
  registry text not null,
  registry_contact_id text not null,
  synced_version bigint not null,
  -- The newest version of the contact: the object is behind while synced_version is less.
  wanted_version bigint not null default 0,
  primary key (contact_id, registry),
  unique (registry, registry_contact_id)
);

-- The client record of a customer at a reseller interface.
create table provider_clients (
  customer_id text not null references customers (id),
  registry text not null,
  -- The position of the registry in the registries file: the first one is shown.
  position integer not null,
  client_id text not null,
  -- Of the registrant that the registry last took or refused; null before.
  digest text,
  state text not null check (state in ('none', 'active', 'failed')),
  reconciled_at timestamptz,
  -- Of the customer's default registrant; null while there is none.
  wanted_digest text,
  primary key (customer_id, registry)
);
