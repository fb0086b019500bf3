-- Cost and price of a year of an action, by TLD and currency. Amounts are minor units.
create table tld_prices (
  currency text not null check (currency in ('USD', 'EUR')),
  tld text not null,
  action text not null check (action in ('register', 'renew', 'transfer', 'restore')),
  registry text not null,
  cost_currency text not null check (cost_currency in ('USD', 'EUR')),
  cost bigint not null check (cost >= 0),
  price bigint not null check (price > 0),
  synced_at timestamptz not null,
  primary key (currency, tld, action)
);
