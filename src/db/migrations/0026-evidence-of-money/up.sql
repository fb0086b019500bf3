-- Superseded by ledger_post_all (0011). They ran with their owner's rights for any role of the
-- service, and took any amount of any order.
drop function ledger_hold(text, text, bigint, jsonb);
drop function ledger_capture(text, text, bigint, jsonb);
drop function ledger_release(text, text, bigint, jsonb);
-- Called only by functions that have the rights, or needing none beyond the caller's.
alter function ledger_lock(text[], text[]) security invoker;
alter function audit_append(jsonb) security invoker;

-- What every entry is evidence of: an order's price, or a payment.
alter table orders add constraint orders_price unique (id, customer_id, currency, amount);
alter table processor_top_ups
  add constraint processor_top_ups_price
    unique (processor_checkout_session_id, customer_id, currency, amount),
  add constraint processor_top_ups_entry unique (entry_id);
alter table ledger_entries
  add column held_order text
    generated always as (case when type = 'hold' then operation_id end) stored,
  add column ended_order text
    generated always as (case when type in ('capture', 'release') then operation_id end) stored,
  add column credited_checkout text
    generated always as (case when type = 'top_up' then checkout_id end) stored,
  add column price bigint generated always as (abs(amount)) stored;
alter table ledger_entries
  add constraint ledger_hold_of_order unique (held_order, customer_id, currency, price);
create unique index ledger_one_credit on ledger_entries (checkout_id) where type = 'top_up';

-- Not valid: entries of today stay as they are, new ones obey. A type without evidence of its own
-- (refund, reversal, adjustment) gets its branch with the table that holds the evidence.
alter table ledger_entries
  add constraint ledger_entry_evidence check (
    case type
      when 'hold' then operation_id is not null and amount < 0
      when 'capture' then operation_id is not null and amount < 0
      when 'release' then operation_id is not null and amount > 0
      when 'top_up' then checkout_id is not null and amount > 0
      else false
    end) not valid,
  add constraint ledger_hold_has_order foreign key (held_order, customer_id, currency, price)
    references orders (id, customer_id, currency, amount) not valid,
  add constraint ledger_end_has_hold foreign key (ended_order, customer_id, currency, price)
    references ledger_entries (held_order, customer_id, currency, price) not valid,
  -- At commit, as the payment names its entry and the entry its payment.
  add constraint ledger_credit_has_payment
    foreign key (credited_checkout, customer_id, currency, price)
    references processor_top_ups (processor_checkout_session_id, customer_id, currency, amount)
    deferrable initially deferred not valid;
do $$
declare
  unproven text;
begin
  for unproven in
    select conname from pg_constraint
     where conrelid = 'ledger_entries'::regclass and not convalidated
  loop
    begin
      execute format('alter table ledger_entries validate constraint %I', unproven);
    exception when check_violation or foreign_key_violation then
      raise warning 'ledger entries from before this migration do not obey %', unproven;
    end;
  end loop;
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
drop function ledger_post(text, text, text, bigint, bigint, text, jsonb);

-- Tables of which the service may change some columns, and insert or delete no row by itself.
alter table append_only_tables add column fixed_columns name[];
comment on column append_only_tables.fixed_columns is
  'Columns that the service may not update; null: all of them.';

-- Grants update of the columns that are not fixed; again after a migration that adds one.
create function grant_updates(kept append_only_tables) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  changeable text;
begin
  select string_agg(quote_ident(attname), ', ') into changeable
    from pg_attribute
   where attrelid = format('public.%I', kept.name)::regclass and attnum > 0 and not attisdropped
     and attname <> all (kept.fixed_columns);
  if changeable is not null and to_regrole('agent_registrar_app') is not null then
    execute format('grant update (%s) on public.%I to agent_registrar_app', changeable, kept.name);
  end if;
end
$$;

create function make_columns_fixed(target regclass, columns name[]) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  perform make_append_only(target, false);
  update append_only_tables set fixed_columns = columns
   where name = (select relname from pg_class where oid = target);
  perform grant_updates(t) from append_only_tables t where t.fixed_columns = columns;
end
$$;

create or replace function grant_to_roles() returns void
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  kept append_only_tables;
begin
  revoke all on schema public from public;
  grant usage on schema public to agent_registrar_app, agent_registrar_inspector;
  execute format('revoke temporary, create on database %I from public', current_database());
  grant select, insert, update, delete on all tables in schema public to agent_registrar_app;
  grant usage on all sequences in schema public to agent_registrar_app;
  revoke execute on all functions in schema public from public;
  grant execute on all functions in schema public to agent_registrar_app;
  perform close_system_functions();

  -- The books of the migrations are for reading only.
  revoke insert, update, delete on schema_migrations, append_only_tables from agent_registrar_app;
  revoke execute on function prepare_role(text), close_system_functions(),
    make_append_only(regclass, boolean), make_columns_fixed(regclass, name[]),
    grant_updates(append_only_tables), grant_to_roles(), prepare_roles()
    from agent_registrar_app;
  for kept in select * from append_only_tables loop
    execute format('revoke update, delete, truncate on %I from agent_registrar_app', kept.name);
    if not kept.may_insert then
      execute format('revoke insert on %I from agent_registrar_app', kept.name);
    end if;
    if kept.fixed_columns is not null then
      perform grant_updates(kept);
    end if;
  end loop;

  -- And the same for whatever this user makes from now on. Not "in schema" for functions: PUBLIC's
  -- right to execute is a built-in default, which only the global form takes away.
  alter default privileges revoke execute on functions from public;
  alter default privileges in schema public grant execute on functions to agent_registrar_app;
  alter default privileges in schema public grant usage on sequences to agent_registrar_app;
  alter default privileges in schema public
    grant select, insert, update, delete on tables to agent_registrar_app;
end
$$;

-- An order is made by orders_place and closed by orders_settle, with its money.
select make_columns_fixed('orders', array[
  'id', 'customer_id', 'type', 'domain', 'registry', 'currency', 'amount', 'digest', 'command',
  'first_sent_at', 'api_key_id', 'created_at', 'closed_at']);
do $$
begin
  if to_regrole('agent_registrar_app') is not null then
    revoke execute on function make_columns_fixed(regclass, name[]),
      grant_updates(append_only_tables) from agent_registrar_app;
  end if;
end $$;
