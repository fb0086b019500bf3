-- As before (0027), and a restore is `moved` once the holding is no longer in redemption, or its
-- restore was asked for already: a restore changes neither `expiry` nor `deletion_at` in a way that
-- the fence would see. Locks in the order: balances, contacts, orders, holdings, keys.
-- compatible from: 0037
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
  moved text[];
  paid text[];
begin
  perform ledger_lock(array_agg(x.customer_id), array_agg(x.currency)) from unnest(items) x;
  select array_agg(x.item order by x.domain, x.id) filter (where x.apart),
         array_agg(x.item order by x.domain, x.id) filter (where not x.apart)
    into items, others
    from (
      select x as item, x.domain, x.id,
             count(*) over (partition by x.domain) = 1
             and (x.idempotency_key is null
                  or count(*) over (partition by x.customer_id, x.idempotency_key) = 1)
             and coalesce(sum(x.amount) over (partition by x.customer_id, x.currency) <= (
               select b.available from ledger_balances b
                where b.customer_id = x.customer_id and b.currency = x.currency), false) as apart
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
           and k.created_at >= clock_timestamp() - interval '24 hours') k on true;
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
                          lease_token, api_key_id, sealed)
      select x.id, x.customer_id, x.type, x.domain, x.registry, 'pending', x.currency, x.amount,
             x.digest, x.command, 1, array[x.fingerprint], x.first_sent_at, clock_timestamp(),
             clock_timestamp() + x.lease_ms * interval '1 millisecond', x.lease_token,
             x.api_key_id, x.sealed
        from unnest(fresh) x order by x.domain
      on conflict (domain) where closed_at is null do nothing
      returning id
    )
    select array(select m.id from made m) into won;
    moved := array(
      select x.id
        from (select f.* from unnest(fresh) f order by f.domain) x
        left join lateral (
          select d.expiry, d.deletion_at,
                 'redemptionPeriod' = any (d.rgp_statuses)
                   and not 'pendingRestore' = any (d.rgp_statuses) as in_redemption
            from domains d
           where d.name = x.domain and d.customer_id = x.customer_id and d.ended_at is null
             for update) d on true
       where case when x.fence is null then d.expiry is not null
             else d.expiry is distinct from x.fence
                  or case when x.type = 'restore' then not d.in_redemption
                          else d.deletion_at is not null end end);
    if cardinality(won) < together or moved <> '{}' then
      return query
        select x.i, 'moved', null, null::bigint from unnest(fresh) x where x.id = any (moved)
        union all
        select x.i, 'open_order', o.id, null
          from unnest(fresh) x left join orders o on o.domain = x.domain and o.closed_at is null
         where x.id <> all (won) and x.id <> all (moved);
      delete from orders o where o.id = any (moved) and o.id = any (won);
      fresh := array(
        select x from unnest(fresh) x where x.id = any (won) and x.id <> all (moved));
      together := cardinality(fresh);
      continue when together = 0;
    end if;

    paid := ledger_post_all(array(
      select row('hold', x.customer_id, x.currency, x.amount, x.description, x.domain,
                 x.id)::ledger_move
        from unnest(fresh) x));
    if cardinality(paid) < together then
      return query
        select x.i, 'insufficient_funds', null, (
                 select b.available from ledger_balances b
                  where b.customer_id = x.customer_id and b.currency = x.currency)
          from unnest(fresh) x where x.id <> all (paid);
      delete from orders o using unnest(fresh) x where o.id = x.id and x.id <> all (paid);
      fresh := array(select x from unnest(fresh) x where x.id = any (paid));
      continue when fresh = '{}';
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
    insert into domain_contacts (holder, role, contact_id)
    select x.id, c.key, c.value::bigint
      from unnest(fresh) x cross join lateral jsonb_each_text(x.contacts) c;
    perform audit_append_all(array(select x.audit from unnest(fresh) x));
    return query select x.i, 'placed', x.id, null::bigint from unnest(fresh) x;
  end loop;
end $$;
