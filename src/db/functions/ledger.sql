-- Locks the customer accounts of a batch in one global order, so that batches do not deadlock.
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
-- release (void). All transfers of one account are posted, or none if available would become
-- negative, or would decrease while the customer owes something. Returns the operations of the
-- posted ones. It has no rights of its own: only functions that have rights call it.
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
       and (t.available >= 0 or not exists (
         select from ledger_accounts o where o.customer_id = a.customer_id and o.owed > 0))
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
  perform ledger_collect(a.customer_id, a.currency, jsonb_build_object('operation_id', m.last))
     from (select m.customer_id, m.currency, max(m.operation_id) as last
             from unnest(moves) m where m.type = 'release' group by 1, 2) m
     join ledger_accounts a on a.customer_id = m.customer_id and a.currency = m.currency
    where a.owed > 0
    order by a.customer_id, a.currency;
  return posted;
end $$;

-- Pays a customer's debt from the available balance, as far as that covers it; the account is
-- locked. because: payment_id, operation_id or adjustment_id of the transfer that made it
-- available. It has no rights of its own.
create or replace function ledger_collect(
  customer text, currency text, because jsonb) returns void
language plpgsql as $$
#variable_conflict use_column
declare
  account ledger_accounts;
  collected bigint;
begin
  select a.* into account from ledger_accounts a
   where a.customer_id = ledger_collect.customer and a.currency = ledger_collect.currency
     for update;
  collected := least(account.owed, account.available);
  if collected > 0 is not true then
    return;
  end if;
  update ledger_accounts a
     set available = a.available - collected, owed = a.owed - collected,
         updated_at = clock_timestamp()
   where a.id = account.id;
  insert into ledger_transfers (
    debit_account, credit_account, customer_account, customer_id, currency, amount, phase, code,
    available_after, held_after, description, payment_id, operation_id, adjustment_id)
  select account.id, r.id, account.id, account.customer_id, account.currency, collected, 'single',
         'reversal', account.available - collected, account.held,
         'Owed since a payment was reversed', because->>'payment_id', because->>'operation_id',
         because->>'adjustment_id'
    from ledger_accounts r
   where r.code = 'receivable' and r.currency = account.currency and r.customer_id is null;
end $$;

-- Returns a customer's account locked, and makes it if there is none. It has no rights of its own.
create or replace function ledger_customer_account(
  customer text, currency text) returns ledger_accounts
language plpgsql as $$
#variable_conflict use_column
declare
  account ledger_accounts;
begin
  insert into ledger_accounts as a (code, customer_id, currency, available, held, owed)
  values ('customer', ledger_customer_account.customer, ledger_customer_account.currency, 0, 0, 0)
  on conflict (customer_id, currency) where customer_id is not null do update
    set updated_at = clock_timestamp()
  returning * into account;
  return account;
end $$;

-- Moves an amount between a customer's account and their reserve, which is made where there is
-- none: above zero into the reserve. facts: description, and domain with operation_id, or
-- payment_id. The customer's account is locked first, by every caller. It has no rights of its own.
create or replace function ledger_move_reserve(
  customer text, currency text, amount bigint, facts jsonb) returns void
language plpgsql as $$
#variable_conflict use_column
declare
  account ledger_accounts :=
    ledger_customer_account(ledger_move_reserve.customer, ledger_move_reserve.currency);
  reserve bigint;
begin
  insert into ledger_accounts (code, reserve_of, currency, available)
  values ('reserve', account.customer_id, account.currency, 0)
  on conflict (reserve_of, currency) where reserve_of is not null do nothing;
  update ledger_accounts r
     set available = r.available + ledger_move_reserve.amount, updated_at = clock_timestamp()
   where r.reserve_of = account.customer_id and r.currency = account.currency
  returning r.id into strict reserve;
  update ledger_accounts a
     set available = a.available - ledger_move_reserve.amount, updated_at = clock_timestamp()
   where a.id = account.id
  returning a.* into account;
  insert into ledger_transfers (
    debit_account, credit_account, customer_account, customer_id, currency, amount, phase, code,
    available_after, held_after, description, domain, operation_id, payment_id)
  select case when ledger_move_reserve.amount > 0 then account.id else reserve end,
         case when ledger_move_reserve.amount > 0 then reserve else account.id end,
         account.id, account.customer_id, account.currency, abs(ledger_move_reserve.amount),
         'single', 'reserve', account.available, account.held, facts->>'description',
         facts->>'domain', facts->>'operation_id', facts->>'payment_id';
end $$;

-- The amount that a customer keeps for renewals.
create or replace function ledger_reserved(customer text, currency text) returns bigint
language sql stable set search_path = public, pg_temp as $$
  select coalesce((
    select r.available from ledger_accounts r
     where r.reserve_of = ledger_reserved.customer and r.currency = ledger_reserved.currency), 0)
$$;

-- Moves money until the reserve is of this amount. Outcome: done | owed (the customer has a debt of
-- a reversed payment) | insufficient_funds (available: the amount that could be moved).
create or replace function ledger_set_reserve(customer text, currency text, amount bigint)
returns table (outcome text, available bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  account ledger_accounts :=
    ledger_customer_account(ledger_set_reserve.customer, ledger_set_reserve.currency);
  change bigint := ledger_set_reserve.amount
    - ledger_reserved(ledger_set_reserve.customer, ledger_set_reserve.currency);
begin
  if change > 0 and exists (
       select from ledger_accounts o where o.customer_id = account.customer_id and o.owed > 0) then
    return query select 'owed', account.available;
  elsif change > account.available then
    return query select 'insufficient_funds', account.available;
  else
    if change <> 0 then
      perform ledger_move_reserve(
        account.customer_id, account.currency, change,
        jsonb_build_object('description', case when change > 0 then 'Kept for renewals'
                                               else 'No longer kept for renewals' end));
    end if;
    return query select 'done', account.available - change;
  end if;
end $$;

-- Moves money out of the reserve for an order that is about to be held, up to its price, if that
-- together with the balance covers it. Returns the amount. The account is locked. It has no rights
-- of its own.
create or replace function ledger_draw_reserve(placed order_placing) returns bigint
language plpgsql as $$
#variable_conflict use_column
declare
  drawn bigint := least(ledger_reserved(placed.customer_id, placed.currency), placed.amount);
begin
  if drawn > 0 and not exists (
       select from ledger_accounts a
        where a.customer_id = placed.customer_id
          and (a.owed > 0
               or a.currency = placed.currency and a.available + drawn < placed.amount)) then
    perform ledger_move_reserve(
      placed.customer_id, placed.currency, -drawn,
      jsonb_build_object('description', 'For: ' || placed.description, 'domain', placed.domain,
                         'operation_id', placed.id));
    return drawn;
  end if;
  return 0;
end $$;

-- Returns to the reserve the amounts that released orders had drawn, less the part that paid a
-- debt. It returns nothing if the reserve was set to another amount since then, which stays as it
-- was set. The accounts are locked. It has no rights of its own.
create or replace function ledger_restore_reserve(released text[]) returns void
language plpgsql as $$
declare
  drew record;
  back bigint;
begin
  for drew in
    select o.id, o.customer_id, o.currency, o.domain, o.reserve_amount from orders o
     where o.id = any (released) and o.reserve_amount > 0
       and not exists (
         select from ledger_transfers held
           join ledger_transfers t on t.customer_id = o.customer_id and t.currency = o.currency
                and t.id > held.id
          where held.operation_id = o.id and held.phase = 'pending'
            and t.code = 'reserve' and t.operation_id is null and t.payment_id is null)
     order by o.customer_id, o.currency, o.id
  loop
    select least(drew.reserve_amount, a.available) into back from ledger_accounts a
     where a.customer_id = drew.customer_id and a.currency = drew.currency;
    if back > 0 then
      perform ledger_move_reserve(
        drew.customer_id, drew.currency, back,
        jsonb_build_object('description', 'Kept for renewals again', 'domain', drew.domain,
                           'operation_id', drew.id));
    end if;
  end loop;
end $$;

-- Moves an amount between an account of our own and a customer's, in one phase: above zero to the
-- customer, below zero from them. facts: the columns of the transfer beside these. Returns its id.
-- It has no rights of its own.
create or replace function ledger_post_single(
  account ledger_accounts, own text, amount bigint, facts jsonb) returns bigint
language plpgsql as $$
#variable_conflict use_column
declare
  moved ledger_accounts;
  transfer bigint;
begin
  update ledger_accounts a
     set available = a.available + ledger_post_single.amount, updated_at = clock_timestamp()
   where a.id = (ledger_post_single.account).id
  returning a.* into moved;
  insert into ledger_transfers (
    debit_account, credit_account, customer_account, customer_id, currency, amount, phase, code,
    available_after, held_after, description, domain, operation_id, checkout_id, invoice_id,
    payment_id, reversal_id, adjustment_id)
  select case when ledger_post_single.amount > 0 then o.id else moved.id end,
         case when ledger_post_single.amount > 0 then moved.id else o.id end,
         moved.id, moved.customer_id, moved.currency, abs(ledger_post_single.amount), 'single',
         f.code, moved.available, moved.held, f.description, f.domain, f.operation_id,
         f.checkout_id, f.invoice_id, f.payment_id, f.reversal_id, f.adjustment_id
    from ledger_accounts o,
         jsonb_populate_record(null::ledger_transfers, facts) f
   where o.code = ledger_post_single.own and o.currency = moved.currency
     and o.customer_id is null
  returning id into strict transfer;
  return transfer;
end $$;

-- Credits a payment, which is its own evidence; returns its row. A payment id, session or
-- intent that was credited before violates its unique constraint. facts: account (processor or
-- gateway), description, checkout_id, invoice_id, processor_checkout_session_id,
-- processor_payment_intent_id.
create or replace function payments_credit(
  payment text, customer text, currency text, amount bigint, facts jsonb) returns payments
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  transfer bigint;
  credited payments;
begin
  if payments_credit.amount > 0 is not true then
    raise exception 'a payment is above zero, not %', payments_credit.amount
      using errcode = 'check_violation';
  end if;
  transfer := ledger_post_single(
    ledger_customer_account(payments_credit.customer, payments_credit.currency),
    facts->>'account', payments_credit.amount,
    jsonb_build_object(
      'code', 'top_up', 'payment_id', payment, 'description', facts->>'description',
      'checkout_id', facts->>'checkout_id', 'invoice_id', facts->'invoice_id'));
  insert into payments (
    id, customer_id, currency, amount, account, checkout_id, processor_checkout_session_id,
    processor_payment_intent_id, transfer_id)
  values (payment, payments_credit.customer, payments_credit.currency, payments_credit.amount,
          facts->>'account', facts->>'checkout_id', facts->>'processor_checkout_session_id',
          facts->>'processor_payment_intent_id', transfer)
  returning * into credited;
  perform ledger_collect(payments_credit.customer, payments_credit.currency,
                         jsonb_build_object('payment_id', payment));
  return credited;
end $$;

-- Reverses a payment, in whole or in part, or reinstates it (kind reinstatement). The part that the
-- balance does not cover becomes a receivable. It returns false if this reversal was posted before,
-- with the same facts. The sum of a payment's reversals is between zero and its amount. Facts:
-- description, invoice_id (of its document).
create or replace function payments_reverse(
  reversal text, payment text, kind text, amount bigint, facts jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  paid payments;
  account ledger_accounts;
  gives constant boolean := payments_reverse.kind = 'reinstatement';
  taken bigint;
begin
  select p.* into strict paid from payments p where p.id = payment for update;
  if payments_reversed(paid, reversal, payments_reverse.kind, payments_reverse.amount) then
    return false;
  end if;
  account := payments_cover(paid, case when gives then 0 else payments_reverse.amount end, facts);
  taken := case when gives then 0 else least(account.available, payments_reverse.amount) end;
  insert into payment_reversals (
    id, payment_id, kind, customer_id, currency, amount, shortfall, description)
  values (reversal, payment, payments_reverse.kind, paid.customer_id, paid.currency,
          payments_reverse.amount,
          case when gives then 0 else payments_reverse.amount - taken end,
          facts->>'description');
  if gives or taken > 0 then
    perform ledger_post_single(
      account, paid.account, case when gives then payments_reverse.amount else -taken end,
      jsonb_build_object(
        'code', 'reversal', 'reversal_id', reversal, 'checkout_id', paid.checkout_id,
        'description', facts->>'description', 'invoice_id', facts->'invoice_id'));
  end if;
  if gives then
    perform ledger_collect(paid.customer_id, paid.currency,
                           jsonb_build_object('payment_id', payment));
  elsif taken < payments_reverse.amount then
    update ledger_accounts a
       set owed = a.owed + payments_reverse.amount - taken, updated_at = clock_timestamp()
     where a.id = account.id;
    insert into ledger_transfers (
      debit_account, credit_account, currency, amount, phase, code, description, reversal_id)
    select r.id, o.id, paid.currency, payments_reverse.amount - taken, 'single', 'reversal',
           facts->>'description', reversal
      from ledger_accounts r, ledger_accounts o
     where r.code = 'receivable' and r.currency = paid.currency and r.customer_id is null
       and o.code = paid.account and o.currency = paid.currency and o.customer_id is null;
  end if;
  return true;
end $$;

-- Whether this reversal was posted before. Throws for one with other facts, and for one after which
-- the payment's reversals would not sum up to a part of it.
create or replace function payments_reversed(
  paid payments, reversal text, of_kind text, of_amount bigint) returns boolean
language plpgsql as $$
declare
  earlier payment_reversals;
  reversed bigint;
begin
  select r.* into earlier from payment_reversals r where r.id = reversal;
  if found then
    if (earlier.payment_id, earlier.kind, earlier.amount) = (paid.id, of_kind, of_amount) then
      return true;
    end if;
    raise exception 'reversal % was posted with other facts', reversal
      using errcode = 'unique_violation', constraint = 'payment_reversals_pkey';
  end if;
  select coalesce(sum(case r.kind when 'reinstatement' then -r.amount else r.amount end), 0)
    into reversed from payment_reversals r where r.payment_id = paid.id;
  reversed := reversed + case of_kind when 'reinstatement' then -of_amount else of_amount end;
  if (reversed between 0 and paid.amount) is not true then
    raise exception 'the reversals of payment % would sum up to % of %', paid.id, reversed,
      paid.amount using errcode = 'check_violation', constraint = 'payment_reversals_sum';
  end if;
  return false;
end $$;

-- Returns the account of a payment's customer locked. The part of an amount that its balance lacks
-- is moved there from the reserve, which is the customer's money, too.
create or replace function payments_cover(paid payments, amount bigint, facts jsonb)
returns ledger_accounts
language plpgsql as $$
declare
  account ledger_accounts := ledger_customer_account(paid.customer_id, paid.currency);
  moved bigint;
begin
  if account.available >= amount then
    return account;
  end if;
  moved := least(ledger_reserved(paid.customer_id, paid.currency), amount - account.available);
  if moved <= 0 then
    return account;
  end if;
  perform ledger_move_reserve(
    paid.customer_id, paid.currency, -moved,
    jsonb_build_object('description', facts->>'description', 'payment_id', paid.id));
  return ledger_customer_account(paid.customer_id, paid.currency);
end $$;

-- A correction by an operator, or money given back for an order (kind refund, with operation_id);
-- returns the transfer's id. Below zero it takes from the balance, never more than that has. An
-- order's refunds are at most its price.
create or replace function ledger_adjust(
  adjustment text, customer text, currency text, amount bigint, facts jsonb) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  account ledger_accounts;
  ordered orders;
  refunded bigint;
  transfer bigint;
begin
  if facts->>'kind' = 'refund' then
    select o.* into strict ordered from orders o where o.id = facts->>'operation_id' for update;
    select coalesce(sum(a.amount), 0) into refunded
      from ledger_adjustments a where a.operation_id = ordered.id;
    if (ordered.state = 'succeeded' and ordered.customer_id = ledger_adjust.customer
        and ordered.currency = ledger_adjust.currency
        and refunded + ledger_adjust.amount <= ordered.amount) is not true then
      raise exception 'order % cannot be refunded with %', ordered.id, ledger_adjust.amount
        using errcode = 'check_violation', constraint = 'ledger_refund_of_order';
    end if;
  end if;
  account := ledger_customer_account(ledger_adjust.customer, ledger_adjust.currency);
  transfer := ledger_post_single(
    account, case facts->>'kind' when 'refund' then 'sales' else 'adjustments' end,
    ledger_adjust.amount,
    jsonb_build_object(
      'code', facts->>'kind', 'adjustment_id', adjustment, 'domain', ordered.domain,
      'operation_id', facts->>'operation_id', 'description', facts->>'description'));
  insert into ledger_adjustments (
    id, kind, customer_id, currency, amount, operation_id, reason, transfer_id)
  values (adjustment, facts->>'kind', ledger_adjust.customer, ledger_adjust.currency,
          ledger_adjust.amount, facts->>'operation_id', facts->>'reason', transfer);
  perform ledger_collect(ledger_adjust.customer, ledger_adjust.currency,
                         jsonb_build_object('adjustment_id', adjustment));
  return transfer;
end $$;

-- Opens an account of our own, such as a gateway's, if it does not exist; returns its id.
create or replace function ledger_open_account(code text, currency text) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  insert into ledger_accounts (code, currency)
  values (ledger_open_account.code, ledger_open_account.currency)
  on conflict (code, currency) where customer_id is null and reserve_of is null do nothing;
  return (select a.id from ledger_accounts a
           where a.code = ledger_open_account.code and a.customer_id is null
             and a.currency = ledger_open_account.currency);
end $$;
