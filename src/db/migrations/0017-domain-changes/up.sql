-- Who changes a domain at its registry just now. A row is a claim, good until lease_until.
create table domain_changes (
  domain text primary key,
  token text not null,
  lease_until timestamptz not null
);

-- When the registry is to forget the authorization information that we set (the registries' time);
-- null: there is none of ours.
alter table domains add column auth_code_unset_at timestamptz;
create index domains_auth_code_due on domains (auth_code_unset_at)
  where auth_code_unset_at is not null and ended_at is null;
