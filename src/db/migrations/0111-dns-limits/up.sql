-- compatible from: 0001

-- The DNS records that a key or an app may change. dns_hosts: patterns relative to the domain, "*"
-- for any text; null: all. dns_types: numbers; null: all. dns_in_person: the owner set them in a
-- session, with which a protected domain may ask for no approval; null where there are none.
alter table access_limits
  add column dns_hosts text[] check (cardinality(dns_hosts) between 1 and 100),
  add column dns_types integer[] check (cardinality(dns_types) between 1 and 30),
  add column dns_in_person boolean,
  add constraint access_limits_dns
    check ((num_nonnulls(dns_hosts, dns_types) > 0) = (dns_in_person is not null));
