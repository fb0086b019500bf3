-- Law 1, checked at commit. Once for the usual two legs: a second leg alone cannot come later,
-- because one leg by itself never sums to zero, and the legs are numbered without gaps.
create or replace function ledger_entry_balances() returns trigger language plpgsql as $$
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

drop trigger if exists ledger_entry_balances on ledger_postings;
create constraint trigger ledger_entry_balances after insert on ledger_postings
  deferrable initially deferred for each row when (new.leg <> 2)
  execute function ledger_entry_balances();

-- Every balance that a batch is about to touch, locked in one global order: no deadlock between
-- batches.
create or replace function ledger_lock(customers text[], currencies text[]) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform from (
      select distinct w.customer, w.currency
        from unnest(customers, currencies) as w (customer, currency)
       order by w.customer, w.currency) w
    cross join lateral (
      select from ledger_balances b
       where b.customer_id = w.customer and b.currency = w.currency for update) b;
end $$;

-- A credit from outside. facts: description, checkout_id (of the payment that is its evidence).
create or replace function ledger_top_up(customer text, currency text, amount bigint, facts jsonb)
returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  balance ledger_balances;
  entry bigint;
begin
  if amount > 0 is not true then
    raise exception 'a top-up is positive, not %', amount using errcode = 'check_violation';
  end if;
  insert into ledger_balances as b (customer_id, currency, available)
  values (customer, ledger_top_up.currency, amount)
  on conflict on constraint ledger_balances_pkey do update
    set available = b.available + excluded.available, updated_at = clock_timestamp()
  returning * into balance;
  insert into ledger_entries (type, customer_id, currency, amount, available_after, held_after,
                              description, checkout_id)
  values ('top_up', customer, ledger_top_up.currency, amount, balance.available, balance.held,
          facts->>'description', facts->>'checkout_id')
  returning id into entry;
  insert into ledger_postings (entry_id, leg, account, amount)
  values (entry, 1, 'customer_available', ledger_top_up.amount),
         (entry, 2, 'processor', -ledger_top_up.amount);
  return entry;
end $$;

-- Many entries with their legs, of balances that are locked. The moves of a balance happen all, or
-- none when available would fall below zero. Answers the operations of those that happened. It has
-- no rights of its own: only functions that have call it.
create or replace function ledger_post_all(moves ledger_move[]) returns text[]
language plpgsql as $$
declare
  posted text[];
begin
  with move as materialized (
    select m.*, case m.type when 'hold' then -m.amount when 'release' then m.amount else 0 end
             as available,
           case m.type when 'hold' then m.amount else -m.amount end as held
      from unnest(moves) m
  ), total as (
    select m.customer_id, m.currency, sum(m.available)::bigint as available,
           sum(m.held)::bigint as held
      from move m group by m.customer_id, m.currency
  ), before as (
    update ledger_balances b
       set available = b.available + t.available, held = b.held + t.held,
           updated_at = clock_timestamp()
      from total t
     where b.customer_id = t.customer_id and b.currency = t.currency
       and b.available + t.available >= 0
    returning b.customer_id, b.currency, b.available - t.available as available,
              b.held - t.held as held
  ), entry as (
    insert into ledger_entries (type, customer_id, currency, amount, available_after, held_after,
                                description, domain, operation_id)
    select m.type, m.customer_id, m.currency,
           case when m.available <> 0 then m.available else m.held end,
           b.available + sum(m.available) over so_far, b.held + sum(m.held) over so_far,
           m.description, m.domain, m.operation_id
      from before b
      join move m on m.customer_id = b.customer_id and m.currency = b.currency
    window so_far as (partition by m.customer_id, m.currency order by m.domain, m.operation_id
                      rows unbounded preceding)
     order by m.customer_id, m.currency, m.domain, m.operation_id
    returning id, type, amount, operation_id
  ), legs as (
    insert into ledger_postings (entry_id, leg, account, amount)
    select e.id, 1, case e.type when 'capture' then 'customer_held' else 'customer_available' end,
           e.amount
      from entry e
    union all
    select e.id, 2, case e.type when 'capture' then 'sales' else 'customer_held' end, -e.amount
      from entry e
  )
  select array(select e.operation_id from entry e) into posted;
  return posted;
end $$;
