alter table domains
  add column deletion_at timestamptz,
  add column sync_at timestamptz not null default clock_timestamp(),
  add column missing_since timestamptz,
  add column transfer_out jsonb,
  add column auth_code_hash text,
  add column auth_code_expires_at timestamptz,
  add column auto_renew_at timestamptz;
create index domains_sync_due on domains (sync_at) where ended_at is null;
-- The name servers that a transfer in is to bring, until the registry has them.
alter table domains add column wanted_nameservers text[];
create index domains_wanting on domains (name) where wanted_nameservers is not null;
-- "is not null" is always so, and keeps an index from queries that do not name its column: while a
-- table is too young for statistics, a scan of all that "ended_at is null" lets in seems to cost no
-- more than one look by name.
drop index domains_of_customer;
create index domains_of_customer on domains (customer_id, name)
  where ended_at is null and customer_id is not null;
create index domains_ended_of_customer on domains (customer_id, name, ended_at)
  where ended_at is not null;

alter table orders add column sealed text;

-- Every balance that a batch is about to touch, locked in one global order: no deadlock between
-- batches.
create or replace function ledger_lock(customers text[], currencies text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from (
      select distinct w.customer, w.currency
        from unnest(customers, currencies) as w (customer, currency)
       order by w.customer, w.currency) w
    cross join lateral (
      select from ledger_balances b
       where b.customer_id = w.customer and b.currency = w.currency for update) b;
end $$;

-- What a step of an order does to its buyer's money: hold | capture | release of an amount above 0.
create type ledger_move as (
  type text, customer_id text, currency text, amount bigint, description text, domain text,
  operation_id text);

-- Many entries with their legs, of balances that are locked. The moves of a balance happen all, or
-- none when available would fall below zero. Answers the operations of those that happened. It has
-- no rights of its own: only functions that have call it.
create function ledger_post_all(moves ledger_move[]) returns text[]
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

-- A row of the audit log, as audit_append takes it.
create type audit_entry as (
  entry_point text, action text, actor_type text, actor_label text, agent_identifier text,
  api_key_id bigint, customer_id text, target_type text, target text, result text,
  status_code integer, error_code text, metadata jsonb, created_at timestamptz, row_hash text);

create function audit_append_all(entries audit_entry[]) returns void
language plpgsql as $$
begin
  insert into audit_logs (
    entry_point, action, actor_type, actor_label, agent_identifier, api_key_id, customer_id,
    target_type, target, result, status_code, error_code, metadata, created_at, row_hash)
  select e.entry_point, e.action, e.actor_type, e.actor_label, e.agent_identifier, e.api_key_id,
         e.customer_id, e.target_type, e.target, e.result, e.status_code, e.error_code, e.metadata,
         e.created_at, decode(e.row_hash, 'hex')
    from unnest(entries) e;
end $$;

-- A purchase to be placed.
create type order_placing as (
  i integer, id text, customer_id text, type text, domain text, registry text, currency text,
  amount bigint, digest text, command jsonb, fingerprint text, lease_ms integer, lease_token text,
  api_key_id bigint, description text, idempotency_key text, idempotency_digest text,
  contacts jsonb, audit audit_entry, fence timestamptz, first_sent_at timestamptz, sealed text);

-- Hold, order, key, contact uses and audit row of many purchases in one statement. Outcome of each:
-- placed | open_order (order_id: the one that is open) | known_key (order_id: the one it made)
-- | insufficient_funds | moved (the holding is not the one that the price was made for).
-- It is as if they came one after the other in the order of their domains. Those that cannot meet
-- (of one domain, of one key, of one purse that has not enough for all) go together; of the others,
-- each goes alone. Locks in the order: balances, orders, holdings, keys.
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
  fenced boolean;
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
           bool_or(x.idempotency_key is not null), bool_or(x.fence is not null)
      into fresh, known, known_orders, keyed, fenced
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
    moved := '{}';
    if fenced then
      moved := array(
        select x.id
          from (select f.* from unnest(fresh) f where f.fence is not null order by f.domain) x
          left join lateral (
            select true as held from domains d
             where d.name = x.domain and d.customer_id = x.customer_id and d.ended_at is null
               and d.expiry = x.fence and (d.deletion_at is null or x.type = 'restore')
               for update) d on true
         where d.held is null);
    end if;
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

-- What is true of a holding once its order has succeeded. Null statuses: as they were known.
create type holding_facts as (
  expires_at timestamptz, registry_expiry timestamptz, nameservers text[], period_years integer,
  epp_statuses text[], rgp_statuses text[], locked boolean, contacts jsonb,
  registered_at timestamptz, sync_at timestamptz, wanted_nameservers text[]);

-- The end of an order; `type` and what follows it are the order's own.
create type order_settling as (
  i integer, order_id text, domain text, lease_token text, succeeded boolean, error_code text,
  error_detail text, description text, holding holding_facts, audit audit_entry, answer jsonb,
  customer_id text, currency text, amount bigint, type text, registry text);

-- The holdings that succeeded orders bought. An older holding of the name has ended, or the
-- registry had not given it away. The contacts stay in use under the order, whose id the holding
-- knows. A renewal or a restore changes what it is about; the other facts are the registry's to
-- tell: they are read again at once, unless they are known.
create function domains_bought(items order_settling[]) returns void
language plpgsql as $$
declare
  replaced boolean;
  extended boolean;
begin
  -- What is there, locked in the order of names. Nobody else makes a holding: the orders are ours.
  select bool_or(x.type in ('register', 'transfer')), bool_or(x.type in ('renew', 'restore'))
    into replaced, extended
    from (select * from unnest(items) x order by x.domain) x
   cross join lateral (
     select from domains d where d.name = x.domain and d.ended_at is null for update) d;
  if replaced then
    with ended as (
      update domains d set ended_at = clock_timestamp(), updated_at = clock_timestamp()
        from unnest(items) x
       where x.type in ('register', 'transfer') and d.name = x.domain and d.ended_at is null
      returning d.order_id
    )
    delete from domain_contacts c using ended e where c.holder = e.order_id;
  end if;
  insert into domains (name, customer_id, order_id, registry, status, expiry, registry_expiry,
                       nameservers, period_years, epp_statuses, rgp_statuses, locked, contacts,
                       registered_at, sync_at, wanted_nameservers)
  select x.domain, x.customer_id, x.order_id, x.registry, 'active', (x.holding).expires_at,
         (x.holding).registry_expiry, (x.holding).nameservers, (x.holding).period_years,
         (x.holding).epp_statuses, (x.holding).rgp_statuses, (x.holding).locked,
         (x.holding).contacts, (x.holding).registered_at, (x.holding).sync_at,
         (x.holding).wanted_nameservers
    from unnest(items) x where x.type in ('register', 'transfer');
  if extended then
    update domains d
       set expiry = (x.holding).expires_at, registry_expiry = (x.holding).registry_expiry,
           period_years = (x.holding).period_years, deletion_at = null, synced_at = null,
           epp_statuses = coalesce((x.holding).epp_statuses, d.epp_statuses),
           rgp_statuses = coalesce((x.holding).rgp_statuses, d.rgp_statuses),
           sync_at = (x.holding).sync_at, updated_at = clock_timestamp()
      from unnest(items) x
     where x.type in ('renew', 'restore') and d.name = x.domain
       and d.customer_id = x.customer_id and d.ended_at is null;
  end if;
end $$;

-- The end of many orders in one statement: capture and holding, or release; and the audit row.
-- Outcome of each: settled | closed (somebody was faster)
-- | taken_over (another sends it again, and a refusal may be the word about that one's success).
-- Orders that are named more than once end in the first that can. Locks in the order: balances,
-- orders, holdings, keys.
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
           bool_or(x.succeeded), bool_or(not x.succeeded), bool_or(x.answer is not null)
      into due, bought, failed, answered
      from (select u.* from unnest(items) u order by u.domain, u.order_id) x
     cross join lateral (
       select o.id, o.domain, o.customer_id, o.currency, o.amount, o.type, o.registry
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

    posted := ledger_post_all(array(
      select row(case when x.succeeded then 'capture' else 'release' end, x.customer_id,
                 x.currency, x.amount, x.description, x.domain, x.order_id)::ledger_move
        from unnest(due) x));
    if cardinality(posted) <> cardinality(due) then
      raise exception 'of % orders, % had money to move', cardinality(due), cardinality(posted)
        using errcode = 'check_violation';
    end if;
    if bought then
      perform domains_bought(array(select x from unnest(due) x where x.succeeded));
    end if;
    if failed then
      delete from domain_contacts c using unnest(due) x
       where not x.succeeded and c.holder = x.order_id;
    end if;
    update orders o
       set state = case when x.succeeded then 'succeeded' else 'failed' end,
           error_code = x.error_code, error_detail = x.error_detail, alarm = null, sealed = null,
           updated_at = clock_timestamp(), closed_at = clock_timestamp()
      from unnest(due) x
     where o.id = x.order_id;
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

drop function domains_put(orders, jsonb);
