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
  items constant order_placing[] := array(
    select x from jsonb_populate_recordset(null::order_placing, batch) x);
  together order_placing[];
  ended text[];
  limits order_limit[];
  placed_at timestamptz;
  rejected order_rejection[];
begin
  ended := orders_unauthorized(items);
  perform ledger_lock(array_agg(x.customer_id), array_agg(x.currency)) from unnest(items) x;
  placed_at := clock_timestamp();
  rejected := approvals_rejected(items, placed_at);
  rejected := rejected || quotes_rejected(orders_left(items, rejected), placed_at);
  if exists (select from unnest(items) x
              where x.api_key_id is not null or x.oauth_grant_id is not null) then
    limits := limits_of_orders(orders_left(items, rejected), placed_at);
  end if;
  rejected := rejected || callers_rejected(orders_left(items, rejected), ended, limits);
  for together in select t.together from orders_turns(orders_left(items, rejected), limits) t loop
    rejected := rejected || orders_place_together(together, limits, placed_at);
  end loop;
  return query
    select x.i, 'placed', x.id, null::bigint from unnest(orders_left(items, rejected)) x
     union all
    select r.i, r.outcome, r.order_id, r.available from unnest(rejected) r;
end $$;

-- The purchases that are not rejected.
create or replace function orders_left(items order_placing[], rejected order_rejection[])
returns order_placing[]
language plpgsql immutable as $$
begin
  if rejected = '{}' then
    return items;
  end if;
  return array(
    select x from unnest(items) x where x.i <> all (array(select r.i from unnest(rejected) r)));
end $$;

-- The purchases that are placed together, turn by turn: first all purchases that cannot conflict,
-- then each of the others.
create or replace function orders_turns(items order_placing[], limits order_limit[])
returns table (together order_placing[])
language plpgsql stable as $$
declare
  apart order_placing[];
  others order_placing[];
begin
  if cardinality(items) < 2 then
    apart := items;
  else
    select array_agg(x.item order by x.domain, x.id) filter (where x.is_apart),
           array_agg(x.item order by x.domain, x.id) filter (where not x.is_apart)
      into apart, others
      from (
        select x as item, x.domain, x.id,
               count(*) over (partition by x.domain) = 1 and x.from_reserve is not true
               and (x.idempotency_key is null
                    or count(*) over (partition by x.customer_id, x.idempotency_key) = 1)
               and coalesce(sum(x.amount) over (partition by x.customer_id, x.currency) <= (
                 select b.available from ledger_accounts b
                  where b.customer_id = x.customer_id and b.currency = x.currency), false)
               and not exists (
                 select from unnest(limits) m where m.order_id = x.id and m.tight) as is_apart
          from unnest(items) x) x;
  end if;
  if cardinality(apart) > 0 then
    together := apart;
    return next;
  end if;
  for turn in 1 .. coalesce(cardinality(others), 0) loop
    together := others[turn : turn];
    return next;
  end loop;
end $$;

-- Places purchases of different domains; returns those that are not placed.
create or replace function orders_place_together(
  items order_placing[], limits order_limit[], at timestamptz) returns order_rejection[]
language plpgsql as $$
declare
  rejected order_rejection[];
  held order_placing[];
begin
  rejected := known_keys_rejected(items);
  rejected := rejected || contacts_rejected(orders_left(items, rejected));
  rejected := rejected || orders_insert(orders_left(items, rejected), at);
  rejected := rejected || budgets_rejected(orders_left(items, rejected), limits, at);
  rejected := rejected || orders_hold(orders_left(items, rejected));
  held := orders_left(items, rejected);
  if held <> '{}' then
    perform orders_record(held, limits, at);
  end if;
  return rejected;
end $$;

-- Stores the orders, each with its fence; those that are rejected are deleted.
create or replace function orders_insert(items order_placing[], at timestamptz)
returns order_rejection[]
language plpgsql as $$
declare
  won text[];
  mismatched text[];
begin
  with made as (
    insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
                        command, attempts, fingerprints, first_sent_at, run_at, lease_until,
                        lease_token, api_key_id, oauth_grant_id, sealed, traceparent,
                        quote_id, created_at)
    select x.id, x.customer_id, x.type, x.domain, x.registry, 'pending', x.currency, x.amount,
           x.digest, x.command, 1, array[x.fingerprint], x.first_sent_at, clock_timestamp(),
           clock_timestamp() + x.lease_ms * interval '1 millisecond', x.lease_token,
           x.api_key_id, x.oauth_grant_id, x.sealed, x.traceparent, x.quote_id, at
      from unnest(items) x order by x.domain
    on conflict (domain) where closed_at is null do nothing
    returning id
  )
  select array(select m.id from made m) into won;
  mismatched := fences_mismatched(items);
  if cardinality(won) = cardinality(items) and mismatched = '{}' then
    return '{}';
  end if;
  delete from orders o where o.id = any (mismatched) and o.id = any (won);
  return array(
    select row(x.i, case when x.id = any (mismatched) then 'fence_mismatch' else 'open_order' end,
               case when x.id <> all (mismatched) then o.id end, null)::order_rejection
      from unnest(items) x left join orders o on o.domain = x.domain and o.closed_at is null
     where x.id = any (mismatched) or x.id <> all (won));
end $$;

-- The purchases whose domain is not in the state that their price was made for. Locks the holdings.
create or replace function fences_mismatched(items order_placing[]) returns text[]
language plpgsql as $$
begin
  return array(
    select x.id
      from (select f.* from unnest(items) f order by f.domain) x
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
end $$;

-- Holds the money of orders; those that the balance does not cover, or whose customer owes
-- something, are deleted: ledger_post_transfers returns the orders that it has held. An order that
-- may draw on the reserve is placed alone.
create or replace function orders_hold(items order_placing[]) returns order_rejection[]
language plpgsql as $$
declare
  drawn bigint := 0;
  paid text[];
  rejected order_rejection[];
begin
  if items[1].from_reserve then
    drawn := ledger_draw_reserve(items[1]);
    update orders o set reserve_amount = drawn where o.id = items[1].id and drawn > 0;
  end if;
  paid := ledger_post_transfers(array(
    select row('hold', x.customer_id, x.currency, x.amount, x.description, x.domain,
               x.id)::ledger_move
      from unnest(items) x));
  if cardinality(paid) = cardinality(items) then
    return '{}';
  end if;
  if drawn > 0 then
    raise exception 'order % drew on the reserve and was not held', items[1].id
      using errcode = 'check_violation';
  end if;
  rejected := array(
    select row(x.i, 'insufficient_funds', null, b.available + case when x.from_reserve
                 then ledger_reserved(x.customer_id, x.currency) else 0 end)::order_rejection
      from unnest(items) x
      left join ledger_accounts b on b.customer_id = x.customer_id and b.currency = x.currency
     where x.id <> all (paid));
  delete from orders o using unnest(items) x where o.id = x.id and x.id <> all (paid);
  return rejected;
end $$;

-- Records everything else about placed orders: budgets, idempotency keys, the end of approvals,
-- uses of contacts, and audit rows.
create or replace function orders_record(
  placed order_placing[], limits order_limit[], at timestamptz) returns void
language plpgsql as $$
begin
  if limits is not null then
    perform limits_charge(placed, limits, at);
  end if;
  perform idempotency_keys_store(placed);
  update approvals a
     set state = 'executed', order_id = x.id, ended_at = at, input = null
    from unnest(placed) x where a.id = x.approval_id and x.approval_id is not null;
  insert into domain_contacts (holder, contact_id)
  select distinct x.id, c.value::bigint
    from unnest(placed) x cross join lateral jsonb_each_text(x.contacts) c;
  perform audit_append_all(array(select x.audit from unnest(placed) x));
end $$;
