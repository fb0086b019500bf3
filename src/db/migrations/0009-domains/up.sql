create table domains (
  id bigint generated always as identity primary key,
  name text not null,
  customer_id text not null references customers (id),
  -- The order that made it.
  order_id text not null,
  registry text not null,
  status text not null,
  expiry timestamptz not null,
  registry_expiry timestamptz not null,
  nameservers text[] not null,
  period_years integer not null,
  epp_statuses text[] not null,
  rgp_statuses text[] not null,
  locked boolean not null default false,
  auto_renew boolean not null default false,
  contacts jsonb not null,
  registered_at timestamptz not null,
  -- When the registry last told these facts; null: only its answer to the purchase is known.
  synced_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create unique index domains_held_once on domains (name) where ended_at is null;
create index domains_of_customer on domains (customer_id, name) where ended_at is null;

create table orders (
  id text primary key,
  customer_id text not null references customers (id),
  type text not null check (type in ('register', 'renew', 'transfer', 'restore')),
  domain text not null,
  registry text not null,
  state text not null
    check (state in ('pending', 'accepted', 'unknown', 'parked', 'succeeded', 'failed')),
  currency text not null,
  amount bigint not null check (amount > 0),
  digest text not null,
  -- What is sent, as it was decided: an attempt later sends the same again.
  command jsonb not null,
  attempts integer not null,
  fingerprints text[] not null,
  first_sent_at timestamptz not null,
  run_at timestamptz not null,
  lease_until timestamptz not null,
  lease_token text not null,
  error_code text,
  error_detail text,
  alarm text,
  api_key_id bigint,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  check ((closed_at is not null) = (state in ('succeeded', 'failed')))
) with (fillfactor = 70);
create unique index orders_open_once on orders (domain) where closed_at is null;
create index orders_due on orders (run_at) where closed_at is null and state <> 'parked';
create index orders_of_domain on orders (customer_id, domain, created_at desc);

create table idempotency_keys (
  customer_id text not null,
  key text not null,
  digest text not null,
  order_id text not null references orders (id),
  answer jsonb,
  created_at timestamptz not null default clock_timestamp(),
  primary key (customer_id, key)
);
create unique index idempotency_keys_of_order on idempotency_keys (order_id);
create index idempotency_keys_old on idempotency_keys (created_at);

-- Hold, order, key, contact uses and audit row of many purchases in one statement. Outcome of each:
-- placed | open_order (order_id: the one that is open) | known_key (order_id: the one it made)
-- | insufficient_funds.
create function orders_place(batch jsonb)
returns table (i integer, outcome text, order_id text, available bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  item record;
  known idempotency_keys;
begin
  perform ledger_lock(array_agg(x.customer_id), array_agg(x.currency))
     from jsonb_to_recordset(batch) as x (customer_id text, currency text);
  for item in
    select * from jsonb_to_recordset(batch) as x (
      i integer, id text, customer_id text, type text, domain text, registry text,
      currency text, amount bigint, digest text, command jsonb, fingerprint text, lease_ms integer,
      lease_token text, api_key_id bigint, description text, idempotency_key text,
      idempotency_digest text, contacts jsonb, audit jsonb)
    order by x.domain, x.id
  loop
    i := item.i;
    available := null;
    order_id := null;
    if item.idempotency_key is not null then
      delete from idempotency_keys k
       where k.customer_id = item.customer_id and k.key = item.idempotency_key
         and k.created_at < clock_timestamp() - interval '24 hours';
      select * into known from idempotency_keys k
       where k.customer_id = item.customer_id and k.key = item.idempotency_key;
      if found then
        outcome := 'known_key';
        order_id := known.order_id;
        return next;
        continue;
      end if;
    end if;
    insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
                        command, attempts, fingerprints, first_sent_at, run_at, lease_until,
                        lease_token, api_key_id)
    values (item.id, item.customer_id, item.type, item.domain, item.registry, 'pending',
            item.currency, item.amount, item.digest, item.command, 1, array[item.fingerprint],
            clock_timestamp(), clock_timestamp(),
            clock_timestamp() + item.lease_ms * interval '1 millisecond', item.lease_token,
            item.api_key_id)
    on conflict (domain) where closed_at is null do nothing;
    if not found then
      select o.id into order_id from orders o where o.domain = item.domain and o.closed_at is null;
      outcome := 'open_order';
      return next;
      continue;
    end if;
    if ledger_hold(item.customer_id, item.currency, item.amount, jsonb_build_object(
         'description', item.description, 'domain', item.domain, 'operation_id', item.id)) is null
    then
      delete from orders o where o.id = item.id;
      select b.available into available from ledger_balances b
       where b.customer_id = item.customer_id and b.currency = item.currency;
      outcome := 'insufficient_funds';
      return next;
      continue;
    end if;
    if item.idempotency_key is not null then
      insert into idempotency_keys (customer_id, key, digest, order_id)
      values (item.customer_id, item.idempotency_key, item.idempotency_digest, item.id);
    end if;
    insert into domain_contacts (holder, role, contact_id)
    select item.id, c.key, c.value::bigint from jsonb_each_text(item.contacts) c;
    perform audit_append(item.audit);
    outcome := 'placed';
    order_id := item.id;
    return next;
  end loop;
end $$;

-- The end of many orders in one statement: capture and holding, or release; and the audit row.
-- Outcome of each: settled | closed (somebody was faster)
-- | taken_over (another sends it again, and a refusal may be the word about that one's success).
create function orders_settle(batch jsonb)
returns table (i integer, outcome text, state text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  item record;
  mine orders;
  facts jsonb;
begin
  perform ledger_lock(array_agg(x.customer_id), array_agg(x.currency))
     from jsonb_to_recordset(batch) as x (customer_id text, currency text);
  for item in
    select * from jsonb_to_recordset(batch) as x (
      i integer, order_id text, domain text, lease_token text, succeeded boolean, error_code text,
      error_detail text, description text, holding jsonb, audit jsonb, answer jsonb)
    order by x.domain, x.order_id
  loop
    i := item.i;
    select * into mine from orders o where o.id = item.order_id for update;
    if mine.closed_at is not null then
      outcome := 'closed';
      state := mine.state;
      return next;
      continue;
    end if;
    if not item.succeeded and mine.lease_token <> item.lease_token then
      outcome := 'taken_over';
      state := mine.state;
      return next;
      continue;
    end if;
    facts := jsonb_build_object('description', item.description, 'domain', mine.domain,
                                'operation_id', mine.id);
    if item.succeeded then
      perform ledger_capture(mine.customer_id, mine.currency, mine.amount, facts);
      perform domains_put(mine, item.holding);
    else
      perform ledger_release(mine.customer_id, mine.currency, mine.amount, facts);
      delete from domain_contacts d where d.holder = mine.id;
    end if;
    outcome := 'settled';
    state := case when item.succeeded then 'succeeded' else 'failed' end;
    update orders o
       set state = orders_settle.state, error_code = item.error_code,
           error_detail = item.error_detail, alarm = null,
           updated_at = clock_timestamp(), closed_at = clock_timestamp()
     where o.id = mine.id;
    if item.answer is not null then
      update idempotency_keys k set answer = item.answer where k.order_id = mine.id;
    end if;
    perform audit_append(item.audit);
    return next;
  end loop;
end $$;

-- The holding that a register order bought. An older holding of the name has ended, or the registry
-- had not sold it. The contacts stay in use under the order, whose id the holding knows.
create function domains_put(bought orders, holding jsonb) returns void
language plpgsql as $$
begin
  for attempt in 1..2 loop
    insert into domains (name, customer_id, order_id, registry, status, expiry, registry_expiry,
                         nameservers, period_years, epp_statuses, rgp_statuses, locked, contacts,
                         registered_at)
    select bought.domain, bought.customer_id, bought.id, bought.registry, 'active', h.expires_at,
           h.expires_at, h.nameservers, h.period_years, h.epp_statuses, h.rgp_statuses, h.locked,
           h.contacts, h.registered_at
      from jsonb_to_record(holding) as h (
        expires_at timestamptz, nameservers text[], period_years integer, epp_statuses text[],
        rgp_statuses text[], locked boolean, contacts jsonb, registered_at timestamptz)
    on conflict (name) where ended_at is null do nothing;
    exit when found;
    delete from domain_contacts c using domains d
     where d.name = bought.domain and d.ended_at is null and c.holder = d.order_id;
    update domains d set ended_at = clock_timestamp(), updated_at = clock_timestamp()
     where d.name = bought.domain and d.ended_at is null;
  end loop;
end $$;
