-- A quote is never changed; its purge deletes it.
create or replace function refuse_quote_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'quote % cannot be changed', old.id using errcode = 'check_violation';
end $$;
create or replace trigger quotes_fixed before update on quotes
  for each row execute function refuse_quote_change();

-- The purchases whose quote is not for exactly them, now: another customer, order, name, term or
-- currency, a higher price, or one that has expired or has made an order already. Locks the quotes.
create or replace function quotes_refused(items order_placing[], at timestamptz) returns text[]
language plpgsql set search_path = public, pg_temp as $$
begin
  perform from quotes q
    where q.id in (select x.quote_id from unnest(items) x) order by q.id for update;
  return array(
    select x.id
      from (select u.*, row_number() over (partition by u.quote_id order by u.i) as nth
              from unnest(items) u where u.quote_id is not null) x
      left join orders o on o.quote_id = x.quote_id and o.state <> 'failed'
     where x.nth > 1
        -- Its own: the response to the commit was lost, and it is placed again.
        or o.id is not null and o.id <> x.id
        or not exists (
             select from quotes q
              where q.id = x.quote_id and q.customer_id = x.customer_id and q.type = x.type
                and q.domain = x.domain and q.currency = x.currency and q.amount >= x.amount
                and q.period_years = (x.command ->> 'period_years')::integer
                and (q.expires_at > at or o.id = x.id)));
end $$;

-- Places many purchases in one statement: authorization hold, order, idempotency key, contact uses
-- and audit row of each. Outcome of each: placed
-- | open_order (order_id: the one that is open) | known_key (order_id: the one it made)
-- | insufficient_funds
-- | limit (its caller may not buy any more, or one of its limits refuses it; order_id: the rule,
--   "ended" for a caller)
-- | unapproved (it names an approval that does not allow it)
-- | unquoted (it names a quote that is not for it, has expired, or has made another order)
-- | contact_deleted (the customer does not have, or no longer has, a contact that it names)
-- | fence_mismatch (the domain is not in the state that the price was made for: its expiry has
--   changed, its deletion was requested, an automatic renewal of it was turned off, a restore finds
--   it out of redemption, or the customer already holds the name that the order is about to
--   register, because another of their orders completed first. No holding of the name can appear
--   after this check: the one open order of it is ours).
-- The result is that of placing them one after the other in the order of their domains. Orders
-- that cannot conflict are placed together; those of one domain, of one key, or of a balance that
-- does not cover all of them are placed one by one. Contacts are locked, so that one that is seen
-- here is in use before it can be deleted. Locks in the order: accounts, consents, keys, sessions
-- (orders_unauthorized), balances, approvals, quotes, contacts, orders, holdings, limits,
-- idempotency keys.
create or replace function orders_place(batch jsonb)
returns table (i integer, outcome text, order_id text, available bigint)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  items order_placing[] := array(
    select x from jsonb_populate_recordset(null::order_placing, batch) x);
  others order_placing[];
  fresh order_placing[];
  known integer[];
  known_orders text[];
  together integer;
  keyed boolean;
  used bigint[];
  deleted text[];
  won text[];
  mismatched text[];
  paid text[];
  limits order_limit[];
  over text[];
  ended text[];
  drawn bigint;
  placed_at timestamptz;
begin
  ended := orders_unauthorized(items);
  perform ledger_lock(array_agg(x.customer_id), array_agg(x.currency)) from unnest(items) x;
  placed_at := clock_timestamp();
  if exists (select from unnest(items) x where x.approval_id is not null) then
    over := approvals_refused(items, placed_at);
    if over <> '{}' then
      return query
        select x.i, 'unapproved', null, null::bigint from unnest(items) x where x.id = any (over);
      items := array(select x from unnest(items) x where x.id <> all (over));
    end if;
  end if;
  if exists (select from unnest(items) x where x.quote_id is not null) then
    over := quotes_refused(items, placed_at);
    if over <> '{}' then
      return query
        select x.i, 'unquoted', null, null::bigint from unnest(items) x where x.id = any (over);
      items := array(select x from unnest(items) x where x.id <> all (over));
    end if;
  end if;
  if exists (select from unnest(items) x
              where x.api_key_id is not null or x.oauth_grant_id is not null) then
    limits := limits_of_orders(items, placed_at);
  end if;
  if limits is not null or ended <> '{}' then
    -- Without those that are placed already: the response to their commit was lost.
    over := array(
      select x.id from unnest(items) x
       where (x.id = any (ended)
              or exists (select from unnest(limits) m
                          where m.order_id = x.id and m.refused is not null))
         and not exists (select from orders o where o.id = x.id));
    if over <> '{}' then
      return query
        select x.i, 'limit',
               case when x.id = any (ended) then 'ended'
                    else (select min(m.refused) from unnest(limits) m where m.order_id = x.id) end,
               null::bigint
          from unnest(items) x where x.id = any (over);
      items := array(select x from unnest(items) x where x.id <> all (over));
    end if;
  end if;
  select array_agg(x.item order by x.domain, x.id) filter (where x.apart),
         array_agg(x.item order by x.domain, x.id) filter (where not x.apart)
    into items, others
    from (
      select x as item, x.domain, x.id,
             count(*) over (partition by x.domain) = 1 and x.from_reserve is not true
             and (x.idempotency_key is null
                  or count(*) over (partition by x.customer_id, x.idempotency_key) = 1)
             and coalesce(sum(x.amount) over (partition by x.customer_id, x.currency) <= (
               select b.available from ledger_accounts b
                where b.customer_id = x.customer_id and b.currency = x.currency), false)
             and not exists (
               select from unnest(limits) m where m.order_id = x.id and m.tight) as apart
        from unnest(items) x) x;
  for turn in 0 .. coalesce(cardinality(others), 0) loop
    if turn > 0 then
      items := others[turn : turn];
    end if;
    continue when items is null;
    select array_agg(x) filter (where k.order_id is null),
           array_agg(x.i) filter (where k.order_id is not null),
           array_agg(k.order_id) filter (where k.order_id is not null),
           bool_or(x.idempotency_key is not null)
      into fresh, known, known_orders, keyed
      from unnest(items) x
      left join lateral (
        select k.order_id from idempotency_keys k
         where k.customer_id = x.customer_id and k.key = x.idempotency_key
           and (k.created_at >= clock_timestamp() - interval '24 hours'
                or exists (select from orders o
                            where o.id = k.order_id and o.closed_at is null))) k on true;
    if known is not null then
      return query
        select k.i, 'known_key', k.order_id, null::bigint
          from unnest(known, known_orders) as k (i, order_id);
      continue when fresh is null;
    end if;

    select array_agg(distinct c.value::bigint) into used
      from unnest(fresh) x cross join lateral jsonb_each_text(x.contacts) c;
    if used is not null then
      perform from contacts c where c.id = any (used) order by c.id for key share;
      deleted := array(
        select x.id from unnest(fresh) x
         where exists (
           select from jsonb_each_text(x.contacts) u
             left join contacts c on c.id = u.value::bigint and c.customer_id = x.customer_id
            where c.id is null));
      if deleted <> '{}' then
        return query
          select x.i, 'contact_deleted', null, null::bigint
            from unnest(fresh) x where x.id = any (deleted);
        fresh := array(select x from unnest(fresh) x where x.id <> all (deleted));
        continue when fresh = '{}';
      end if;
    end if;
    together := cardinality(fresh);

    with made as (
      insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
                          command, attempts, fingerprints, first_sent_at, run_at, lease_until,
                          lease_token, api_key_id, oauth_grant_id, sealed, traceparent,
                          quote_id, created_at)
      select x.id, x.customer_id, x.type, x.domain, x.registry, 'pending', x.currency, x.amount,
             x.digest, x.command, 1, array[x.fingerprint], x.first_sent_at, clock_timestamp(),
             clock_timestamp() + x.lease_ms * interval '1 millisecond', x.lease_token,
             x.api_key_id, x.oauth_grant_id, x.sealed, x.traceparent, x.quote_id, placed_at
        from unnest(fresh) x order by x.domain
      on conflict (domain) where closed_at is null do nothing
      returning id
    )
    select array(select m.id from made m) into won;
    mismatched := array(
      select x.id
        from (select f.* from unnest(fresh) f order by f.domain) x
        left join lateral (
          select d.expiry, d.deletion_at, d.auto_renew,
                 'redemptionPeriod' = any (d.rgp_statuses)
                   and not 'pendingRestore' = any (d.rgp_statuses) as in_redemption
            from domains d
           where d.name = x.domain and d.customer_id = x.customer_id and d.ended_at is null
             for update) d on true
       where case when x.fence is null then d.expiry is not null
             else d.expiry is distinct from x.fence
                  or x.command ->> 'automatic' = 'true' and not d.auto_renew
                  or case when x.type = 'restore' then not d.in_redemption
                          else d.deletion_at is not null end end);
    if cardinality(won) < together or mismatched <> '{}' then
      return query
        select x.i, 'fence_mismatch', null, null::bigint
          from unnest(fresh) x where x.id = any (mismatched)
        union all
        select x.i, 'open_order', o.id, null
          from unnest(fresh) x left join orders o on o.domain = x.domain and o.closed_at is null
         where x.id <> all (won) and x.id <> all (mismatched);
      delete from orders o where o.id = any (mismatched) and o.id = any (won);
      fresh := array(
        select x from unnest(fresh) x where x.id = any (won) and x.id <> all (mismatched));
      together := cardinality(fresh);
      continue when together = 0;
    end if;

    if limits is not null then
      over := array(
        select f.id from unnest(fresh) f
         where exists (
           select from unnest(limits) m join access_limits l on l.id = m.limit_id
            where m.order_id = f.id and m.tight
              and limit_refusal(l, f.amount, f.currency, limit_spent(l, placed_at),
                                f.approval_id is not null) is not null));
      if over <> '{}' then
        return query
          select x.i, 'limit', 'spend_limit', null::bigint
            from unnest(fresh) x where x.id = any (over);
        delete from orders o where o.id = any (over);
        fresh := array(select x from unnest(fresh) x where x.id <> all (over));
        together := cardinality(fresh);
        continue when together = 0;
      end if;
    end if;

    -- Such an order is alone.
    drawn := 0;
    if fresh[1].from_reserve then
      drawn := ledger_draw_reserve(fresh[1]);
      update orders o set reserve_amount = drawn where o.id = fresh[1].id and drawn > 0;
    end if;
    paid := ledger_post_transfers(array(
      select row('hold', x.customer_id, x.currency, x.amount, x.description, x.domain,
                 x.id)::ledger_move
        from unnest(fresh) x));
    if cardinality(paid) < together then
      if drawn > 0 then
        raise exception 'order % drew on the reserve and was not held', fresh[1].id
          using errcode = 'check_violation';
      end if;
      return query
        select x.i, 'insufficient_funds', null, (
                 select b.available + case when x.from_reserve
                          then ledger_reserved(x.customer_id, x.currency) else 0 end
                   from ledger_accounts b
                  where b.customer_id = x.customer_id and b.currency = x.currency)
          from unnest(fresh) x where x.id <> all (paid);
      delete from orders o using unnest(fresh) x where o.id = x.id and x.id <> all (paid);
      fresh := array(select x from unnest(fresh) x where x.id = any (paid));
      continue when fresh = '{}';
    end if;
    if limits is not null then
      perform limits_charge(fresh, limits, placed_at);
    end if;
    if keyed then
      delete from idempotency_keys k using unnest(fresh) x
       where k.customer_id = x.customer_id and k.key = x.idempotency_key
         and k.created_at < clock_timestamp() - interval '24 hours';
      insert into idempotency_keys (customer_id, key, digest, order_id)
      select x.customer_id, x.idempotency_key, x.idempotency_digest, x.id
        from unnest(fresh) x where x.idempotency_key is not null
       order by x.customer_id, x.idempotency_key;
    end if;
    update approvals a
       set state = 'executed', order_id = x.id, ended_at = placed_at, input = null
      from unnest(fresh) x where a.id = x.approval_id and x.approval_id is not null;
    insert into domain_contacts (holder, contact_id)
    select distinct x.id, c.value::bigint
      from unnest(fresh) x cross join lateral jsonb_each_text(x.contacts) c;
    perform audit_append_all(array(select x.audit from unnest(fresh) x));
    return query select x.i, 'placed', x.id, null::bigint from unnest(fresh) x;
  end loop;
end $$;

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
  posted text[];
  bought boolean;
  failed boolean;
  answered boolean;
  late boolean;
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
    select array_agg(row(x.i, o.id, o.domain, x.lease_token, x.succeeded, x.error_code,
                         x.error_detail, x.description, x.holding, x.audit, x.answer,
                         o.customer_id, o.currency, o.amount, o.type,
                         o.registry)::order_settling),
           bool_or(x.succeeded), bool_or(not x.succeeded), bool_or(x.answer is not null),
           bool_or(o.created_at < clock_timestamp() - interval '1 hour')
      into due, bought, failed, answered, late
      from (select u.* from unnest(items) u order by u.domain, u.order_id) x
     cross join lateral (
       select o.id, o.domain, o.customer_id, o.currency, o.amount, o.type, o.registry,
              o.created_at
         from orders o
        where o.id = x.order_id and o.closed_at is null
          and (x.succeeded or o.lease_token = x.lease_token) for update) o;
    if cardinality(due) is distinct from cardinality(items) then
      return query
        select x.i, case when o.closed_at is null then 'taken_over' else 'closed' end, o.state
          from unnest(items) x join orders o on o.id = x.order_id
         where not exists (select from unnest(due) d where d.i = x.i);
      continue when due is null;
    end if;

    posted := ledger_post_transfers(array(
      select row(case when x.succeeded then 'capture' else 'release' end, x.customer_id,
                 x.currency, x.amount, x.description, x.domain, x.order_id)::ledger_move
        from unnest(due) x));
    if cardinality(posted) <> cardinality(due) then
      raise exception 'of % orders, % had money to move', cardinality(due), cardinality(posted)
        using errcode = 'check_violation';
    end if;
    if bought then
      perform domains_apply_orders(array(select x from unnest(due) x where x.succeeded));
    end if;
    if failed then
      perform limits_release(
        array(select x.order_id from unnest(due) x where not x.succeeded));
      perform ledger_restore_reserve(
        array(select x.order_id from unnest(due) x where not x.succeeded));
      delete from domain_contacts c using unnest(due) x
       where not x.succeeded and c.holder = x.order_id;
      delete from ordered_dns_records r using unnest(due) x
       where not x.succeeded and r.order_id = x.order_id;
    end if;
    update orders o
       set state = case when x.succeeded then 'succeeded' else 'failed' end,
           error_code = x.error_code, error_detail = x.error_detail, alarm = null, sealed = null,
           updated_at = clock_timestamp(), closed_at = clock_timestamp()
      from unnest(due) x
     where o.id = x.order_id;
    if late then
      -- Its caller may ask again only now.
      update idempotency_keys k set created_at = clock_timestamp()
        from unnest(due) x
       where k.order_id = x.order_id and k.created_at < clock_timestamp() - interval '1 hour';
    end if;
    if answered then
      update idempotency_keys k set answer = x.answer
        from unnest(due) x
       where k.order_id = x.order_id and x.answer is not null;
    end if;
    perform audit_append_all(array(select x.audit from unnest(due) x));
    return query
      select x.i, 'settled', case when x.succeeded then 'succeeded' else 'failed' end
        from unnest(due) x;
  end loop;
end $$;

-- Enqueues the notification of an owner about the result of an order.
create or replace function orders_enqueue_result() returns trigger
language plpgsql as $$
begin
  -- Of this order, not of the others that are settled with it.
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
