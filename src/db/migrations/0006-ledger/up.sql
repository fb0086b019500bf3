-- Double entry. Amounts are bigint minor units; a liability to a customer and revenue are positive,
-- money that came in from outside is negative, so that the legs of every entry sum to zero.

create table ledger_balances (
  customer_id text not null references customers (id),
  currency text not null check (currency in ('USD', 'EUR')),
  available bigint not null default 0,
  held bigint not null default 0,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (customer_id, currency),
  constraint no_overdraft check (available >= 0),
  constraint no_negative_hold check (held >= 0)
) with (fillfactor = 60);

create table ledger_entries (
  id bigint generated always as identity primary key,
  type text not null check (
    type in ('top_up', 'hold', 'capture', 'release', 'refund', 'reversal', 'adjustment')),
  customer_id text not null,
  currency text not null,
  amount bigint not null check (amount <> 0),
  available_after bigint not null,
  held_after bigint not null,
  description text not null,
  domain text,
  operation_id text,
  checkout_id text,
  invoice_id bigint,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (customer_id, currency) references ledger_balances (customer_id, currency)
);
create index ledger_entries_of_customer on ledger_entries (customer_id, id desc);
-- Law 3: one hold, and one end of it, for each operation.
create unique index ledger_one_hold on ledger_entries (operation_id) where type = 'hold';
create unique index ledger_one_end on ledger_entries (operation_id)
  where type in ('capture', 'release');

create table ledger_postings (
  entry_id bigint not null references ledger_entries (id),
  leg smallint not null check (leg between 1 and 9),
  account text not null check (
    account in ('customer_available', 'customer_held', 'processor', 'sales', 'adjustments')),
  amount bigint not null check (amount <> 0),
  primary key (entry_id, leg)
);

-- Law 1, checked at commit. Once for the usual two legs: a second leg alone cannot come later,
-- because one leg by itself never sums to zero, and the legs are numbered without gaps.
create function ledger_entry_balances() returns trigger language plpgsql as $$
declare
  total numeric;
  legs integer;
  last_leg integer;
begin
  select sum(amount), count(*), max(leg) into total, legs, last_leg
    from ledger_postings where entry_id = new.entry_id;
  if total <> 0 or legs <> last_leg then
    raise exception 'ledger entry % does not balance: % over % legs', new.entry_id, total, legs
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_entry_balances after insert on ledger_postings
  deferrable initially deferred for each row when (new.leg <> 2)
  execute function ledger_entry_balances();

-- Every balance that a statement is about to touch, locked in one global order: no deadlock between
-- batches. One look by key after the other, so that no plan can come to scan the table.
create function ledger_lock(customers text[], currencies text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  wanted record;
begin
  for wanted in
    select distinct w.customer, w.currency
      from unnest(customers, currencies) as w (customer, currency)
     order by w.customer, w.currency
  loop
    perform from ledger_balances b
      where b.customer_id = wanted.customer and b.currency = wanted.currency for update;
  end loop;
end $$;

-- One entry: moves a balance and writes its legs. Null, and nothing written, when available would
-- fall below zero. It has no rights of its own: only the functions below, which have, call it.
create function ledger_post(
  p_type text, p_customer text, p_currency text, p_available bigint, p_held bigint,
  p_house_account text, p_facts jsonb)
returns bigint language plpgsql as $$
declare
  new_available bigint;
  new_held bigint;
  entry bigint;
  legs smallint := 0;
begin
  update ledger_balances b
     set available = b.available + p_available, held = b.held + p_held,
         updated_at = clock_timestamp()
   where b.customer_id = p_customer and b.currency = p_currency
     and b.available + p_available >= 0
  returning b.available, b.held into new_available, new_held;
  if not found then
    return null;
  end if;
  insert into ledger_entries (type, customer_id, currency, amount, available_after, held_after,
                              description, domain, operation_id, checkout_id, invoice_id)
  values (p_type, p_customer, p_currency,
          case when p_available <> 0 then p_available else p_held end, new_available, new_held,
          p_facts->>'description', p_facts->>'domain', p_facts->>'operation_id',
          p_facts->>'checkout_id', (p_facts->>'invoice_id')::bigint)
  returning id into entry;
  if p_available <> 0 then
    legs := legs + 1;
    insert into ledger_postings (entry_id, leg, account, amount)
    values (entry, legs, 'customer_available', p_available);
  end if;
  if p_held <> 0 then
    legs := legs + 1;
    insert into ledger_postings (entry_id, leg, account, amount)
    values (entry, legs, 'customer_held', p_held);
  end if;
  if p_available + p_held <> 0 then
    legs := legs + 1;
    insert into ledger_postings (entry_id, leg, account, amount)
    values (entry, legs, p_house_account, -(p_available + p_held));
  end if;
  return entry;
end $$;

-- The only doors to money. facts: description, domain, operation_id, checkout_id, invoice_id.
create function ledger_hold(customer text, currency text, amount bigint, facts jsonb)
returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return ledger_post('hold', customer, currency, -amount, amount, null, facts);
end $$;

create function ledger_capture(customer text, currency text, amount bigint, facts jsonb)
returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return ledger_post('capture', customer, currency, 0, -amount, 'sales', facts);
end $$;

create function ledger_release(customer text, currency text, amount bigint, facts jsonb)
returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return ledger_post('release', customer, currency, amount, -amount, null, facts);
end $$;

create function ledger_top_up(customer text, currency text, amount bigint, facts jsonb)
returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if amount <= 0 then
    raise exception 'a top-up is positive, not %', amount using errcode = 'check_violation';
  end if;
  insert into ledger_balances (customer_id, currency) values (customer, currency)
  on conflict do nothing;
  return ledger_post('top_up', customer, currency, amount, 0, 'processor', facts);
end $$;

select make_append_only('ledger_balances', false);
select make_append_only('ledger_entries', false);
select make_append_only('ledger_postings', false);
