-- Settles many orders in one statement: capture and holding, or release; and the audit row. Outcome
-- of each: settled | closed (it had been settled already)
-- | taken_over (another worker sends it again, and a refusal may be the answer to its success).
-- An order that is named more than once is settled by the first settlement that can. Locks in the
-- order: balances, orders, holdings, limits, keys.
create or replace function orders_settle(batch jsonb)
returns table (i integer, outcome text, state text)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  items order_settling[] := array(
    select x from jsonb_populate_recordset(null::order_settling, batch) x);
  others order_settling[];
  due order_settling[];
begin
  perform ledger_lock(array_agg(x.customer_id), array_agg(x.currency)) from unnest(items) x;
  select array_agg(x.item) filter (where x.nth = 1),
         array_agg(x.item order by x.i) filter (where x.nth > 1)
    into items, others
    from (
      select x as item, x.i, row_number() over (partition by x.order_id order by x.i) as nth
        from unnest(items) x) x;
  for turn in 0 .. coalesce(cardinality(others), 0) loop
    if turn > 0 then
      items := others[turn : turn];
    end if;
    due := orders_due(items);
    if cardinality(due) is distinct from cardinality(items) then
      return query
        select x.i, case when o.closed_at is null then 'taken_over' else 'closed' end, o.state
          from unnest(items) x join orders o on o.id = x.order_id
         where not exists (select from unnest(due) d where d.i = x.i);
      continue when due is null;
    end if;
    perform orders_move_money(due);
    perform orders_close(due);
    perform idempotency_keys_answer(due);
    perform audit_append_all(array(select x.audit from unnest(due) x));
    return query
      select x.i, 'settled', case when x.succeeded then 'succeeded' else 'failed' end
        from unnest(due) x;
  end loop;
end $$;

-- The settlements whose order is open and is not sent again by another worker, with the facts of
-- the order, or null if there are none. Locks the orders.
create or replace function orders_due(items order_settling[]) returns order_settling[]
language plpgsql as $$
begin
  return (
    select array_agg(row(x.i, o.id, o.domain, x.lease_token, x.succeeded, x.error_code,
                         x.error_detail, x.description, x.holding, x.audit, x.answer,
                         o.customer_id, o.currency, o.amount, o.type,
                         o.registry)::order_settling)
      from (select u.* from unnest(items) u order by u.domain, u.order_id) x
     cross join lateral (
       select o.id, o.domain, o.customer_id, o.currency, o.amount, o.type, o.registry
         from orders o
        where o.id = x.order_id and o.closed_at is null
          and (x.succeeded or o.lease_token = x.lease_token) for update) o);
end $$;

-- Captures the holds of orders that succeeded, and stores their holdings; releases those of the
-- others, with everything that their placement took.
create or replace function orders_move_money(due order_settling[]) returns void
language plpgsql as $$
declare
  posted text[];
  bought constant order_settling[] := array(select x from unnest(due) x where x.succeeded);
  failed constant text[] := array(select x.order_id from unnest(due) x where not x.succeeded);
begin
  posted := ledger_post_transfers(array(
    select row(case when x.succeeded then 'capture' else 'release' end, x.customer_id,
               x.currency, x.amount, x.description, x.domain, x.order_id)::ledger_move
      from unnest(due) x));
  if cardinality(posted) <> cardinality(due) then
    raise exception 'of % orders, % had money to move', cardinality(due), cardinality(posted)
      using errcode = 'check_violation';
  end if;
  if bought <> '{}' then
    perform domains_apply_orders(bought);
  end if;
  if failed <> '{}' then
    perform limits_release(failed);
    perform ledger_restore_reserve(failed);
    delete from domain_contacts c where c.holder = any (failed);
    delete from ordered_dns_records r where r.order_id = any (failed);
  end if;
end $$;

create or replace function orders_close(due order_settling[]) returns void
language plpgsql as $$
begin
  update orders o
     set state = case when x.succeeded then 'succeeded' else 'failed' end,
         error_code = x.error_code, error_detail = x.error_detail, alarm = null, sealed = null,
         updated_at = clock_timestamp(), closed_at = clock_timestamp()
    from unnest(due) x
   where o.id = x.order_id;
end $$;

-- Enqueues the notification of an owner about the result of an order.
create or replace function orders_enqueue_result() returns trigger
language plpgsql as $$
begin
  -- Only the rows of this order, not of the others that are settled with it.
  perform set_config('agent_registrar.traceparent', coalesce(new.traceparent, ''), true);
  perform tasks_enqueue(
    'notify_order_result', new.id, '', jsonb_build_object('order_id', new.id), clock_timestamp(),
    'keep');
  return null;
end $$;

create or replace trigger orders_enqueue_result_new after insert on orders
  for each row when (
    new.closed_at is not null and new.notified_at is null
    and (new.type in ('transfer', 'restore')
         or new.type = 'renew' and new.command->>'automatic' = 'true'))
  execute function orders_enqueue_result();
create or replace trigger orders_enqueue_result after update of closed_at on orders
  for each row when (
    new.closed_at is not null and old.closed_at is null and new.notified_at is null
    and (new.type in ('transfer', 'restore')
         or new.type = 'renew' and new.command->>'automatic' = 'true'))
  execute function orders_enqueue_result();
