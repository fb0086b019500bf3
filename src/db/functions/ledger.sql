-- The accounts of customers that a batch is about to touch, locked in one global order: no deadlock
-- between batches.
create or replace function ledger_lock(customers text[], currencies text[]) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform from (
      select distinct w.customer, w.currency
        from unnest(customers, currencies) as w (customer, currency)
       order by w.customer, w.currency) w
    cross join lateral (
      select from ledger_accounts a
       where a.customer_id = w.customer and a.currency = w.currency for update) a;
end $$;

-- Posts the transfers of many steps, of accounts that are locked: hold (pending), capture (post) or
-- release (void). Those of one account happen all, or none when available would fall below zero.
-- Returns the operations of those that happened. It has no rights of its own: only functions that
-- have call it.
create or replace function ledger_post_transfers(moves ledger_move[]) returns text[]
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
  ), account as (
    update ledger_accounts a
       set available = a.available + t.available, held = a.held + t.held,
           updated_at = clock_timestamp()
      from total t
     where a.customer_id = t.customer_id and a.currency = t.currency
       and a.available + t.available >= 0
    returning a.id, a.customer_id, a.currency, a.available - t.available as available,
              a.held - t.held as held
  ), made as (
    insert into ledger_transfers (
      debit_account, credit_account, customer_account, customer_id, currency, amount, phase,
      pending_id, code, available_after, held_after, description, domain, operation_id)
    select a.id, s.id, a.id, a.customer_id, a.currency, m.amount,
           case m.type when 'hold' then 'pending' when 'capture' then 'post'
                       when 'release' then 'void' end,
           -- 0 is no transfer, so an end without its hold breaks ledger_end_has_hold.
           case when m.type <> 'hold' then coalesce((
             select h.id from ledger_transfers h
              where h.operation_id = m.operation_id and h.phase = 'pending'), 0) end,
           'purchase', a.available + sum(m.available) over so_far,
           a.held + sum(m.held) over so_far, m.description, m.domain, m.operation_id
      from account a
      join move m on m.customer_id = a.customer_id and m.currency = a.currency
      join ledger_accounts s
        on s.code = 'sales' and s.currency = a.currency and s.customer_id is null
    window so_far as (partition by m.customer_id, m.currency order by m.domain, m.operation_id
                      rows unbounded preceding)
     order by m.customer_id, m.currency, m.domain, m.operation_id
    returning operation_id
  )
  select array(select m.operation_id from made m) into posted;
  return posted;
end $$;

-- A credit from outside; returns the transfer's id. facts: description, checkout_id (of the payment
-- that is its evidence), invoice_id (of the document of that payment).
create or replace function ledger_top_up(
  customer text, currency text, amount bigint, facts jsonb) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  account ledger_accounts;
  transfer bigint;
begin
  if ledger_top_up.amount > 0 is not true then
    raise exception 'a top-up is positive, not %', ledger_top_up.amount
      using errcode = 'check_violation';
  end if;
  insert into ledger_accounts as a (code, customer_id, currency, available, held)
  values ('customer', ledger_top_up.customer, ledger_top_up.currency, ledger_top_up.amount, 0)
  on conflict (customer_id, currency) where customer_id is not null do update
    set available = a.available + excluded.available, updated_at = clock_timestamp()
  returning * into account;
  insert into ledger_transfers (
    debit_account, credit_account, customer_account, customer_id, currency, amount, phase, code,
    available_after, held_after, description, checkout_id, invoice_id)
  select p.id, account.id, account.id, account.customer_id, account.currency,
         ledger_top_up.amount, 'single', 'top_up', account.available, account.held,
         facts->>'description', facts->>'checkout_id', (facts->>'invoice_id')::bigint
    from ledger_accounts p
   where p.code = 'processor' and p.currency = account.currency and p.customer_id is null
  returning id into transfer;
  return transfer;
end $$;

-- A payment is recorded with its own credit: with any other transfer it would be taken for
-- credited. No foreign key, as every transfer would have to be in the index that it refers to.
create or replace function processor_top_ups_credited() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (
    select from ledger_transfers t
     where t.id = new.transfer_id and t.code = 'top_up'
       and (t.checkout_id, t.customer_id, t.currency, t.amount)
           = (new.processor_checkout_session_id, new.customer_id, new.currency, new.amount)) then
    raise exception 'transfer % is not the credit of payment %', new.transfer_id,
      new.processor_checkout_session_id using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace trigger processor_top_ups_credited after insert on processor_top_ups
  for each row execute function processor_top_ups_credited();

-- Opens an account of our own, such as a gateway's, where there is none; returns its id.
create or replace function ledger_open_account(code text, currency text) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  insert into ledger_accounts (code, currency)
  values (ledger_open_account.code, ledger_open_account.currency)
  on conflict (code, currency) where customer_id is null do nothing;
  return (select a.id from ledger_accounts a
           where a.code = ledger_open_account.code and a.customer_id is null
             and a.currency = ledger_open_account.currency);
end $$;
