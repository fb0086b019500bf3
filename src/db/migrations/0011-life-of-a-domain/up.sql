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
create index domains_ended_of_customer on domains (customer_id, name, ended_at)
  where ended_at is not null;

alter table orders add column sealed text;

-- Hold, order, key, contact uses and audit row of many purchases in one statement. Outcome of each:
-- placed | open_order (order_id: the one that is open) | known_key (order_id: the one it made)
-- | insufficient_funds | moved (the holding is not the one that the price was made for).
create or replace function orders_place(batch jsonb)
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
      idempotency_digest text, contacts jsonb, audit jsonb, fence timestamptz,
      first_sent_at timestamptz, sealed text)
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
    if item.fence is not null then
      perform from domains d
        where d.name = item.domain and d.customer_id = item.customer_id and d.ended_at is null
          and d.expiry = item.fence and (d.deletion_at is null or item.type = 'restore')
          for update;
      if not found then
        outcome := 'moved';
        return next;
        continue;
      end if;
    end if;
    insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
                        command, attempts, fingerprints, first_sent_at, run_at, lease_until,
                        lease_token, api_key_id, sealed)
    values (item.id, item.customer_id, item.type, item.domain, item.registry, 'pending',
            item.currency, item.amount, item.digest, item.command, 1, array[item.fingerprint],
            item.first_sent_at, clock_timestamp(),
            clock_timestamp() + item.lease_ms * interval '1 millisecond', item.lease_token,
            item.api_key_id, item.sealed)
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

-- The holding that a register or transfer order bought. An older holding of the name has ended, or
-- the registry had not given it away. The contacts stay in use under the order, whose id the
-- holding knows.
create or replace function domains_put(bought orders, holding jsonb) returns void
language plpgsql as $$
begin
  for attempt in 1..2 loop
    insert into domains (name, customer_id, order_id, registry, status, expiry, registry_expiry,
                         nameservers, period_years, epp_statuses, rgp_statuses, locked, contacts,
                         registered_at, sync_at, wanted_nameservers)
    select bought.domain, bought.customer_id, bought.id, bought.registry, 'active', h.expires_at,
           h.registry_expiry, h.nameservers, h.period_years, h.epp_statuses, h.rgp_statuses,
           h.locked, h.contacts, h.registered_at, h.sync_at, h.wanted_nameservers
      from jsonb_to_record(holding) as h (
        expires_at timestamptz, registry_expiry timestamptz, nameservers text[],
        period_years integer, epp_statuses text[], rgp_statuses text[], locked boolean,
        contacts jsonb, registered_at timestamptz, sync_at timestamptz, wanted_nameservers text[])
    on conflict (name) where ended_at is null do nothing;
    exit when found;
    delete from domain_contacts c using domains d
     where d.name = bought.domain and d.ended_at is null and c.holder = d.order_id;
    update domains d set ended_at = clock_timestamp(), updated_at = clock_timestamp()
     where d.name = bought.domain and d.ended_at is null;
  end loop;
end $$;

-- What a renewal or a restore changed. The other facts are the registry's to tell: they are read
-- again at once, unless they are known.
create function domains_extend(bought orders, holding jsonb) returns void
language plpgsql as $$
begin
  update domains d
     set expiry = h.expires_at, registry_expiry = h.registry_expiry,
         period_years = h.period_years, deletion_at = null, synced_at = null,
         epp_statuses = coalesce(h.epp_statuses, d.epp_statuses),
         rgp_statuses = coalesce(h.rgp_statuses, d.rgp_statuses),
         sync_at = h.sync_at, updated_at = clock_timestamp()
    from jsonb_to_record(holding) as h (
      expires_at timestamptz, registry_expiry timestamptz, period_years integer,
      epp_statuses text[], rgp_statuses text[], sync_at timestamptz)
   where d.name = bought.domain and d.customer_id = bought.customer_id and d.ended_at is null;
end $$;

-- The end of many orders in one statement: capture and holding, or release; and the audit row.
-- Outcome of each: settled | closed (somebody was faster)
-- | taken_over (another sends it again, and a refusal may be the word about that one's success).
create or replace function orders_settle(batch jsonb)
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
      if mine.type in ('register', 'transfer') then
        perform domains_put(mine, item.holding);
      else
        perform domains_extend(mine, item.holding);
      end if;
    else
      perform ledger_release(mine.customer_id, mine.currency, mine.amount, facts);
      delete from domain_contacts d where d.holder = mine.id;
    end if;
    outcome := 'settled';
    state := case when item.succeeded then 'succeeded' else 'failed' end;
    update orders o
       set state = orders_settle.state, error_code = item.error_code,
           error_detail = item.error_detail, alarm = null, sealed = null,
           updated_at = clock_timestamp(), closed_at = clock_timestamp()
     where o.id = mine.id;
    if item.answer is not null then
      update idempotency_keys k set answer = item.answer where k.order_id = mine.id;
    end if;
    perform audit_append(item.audit);
    return next;
  end loop;
end $$;
