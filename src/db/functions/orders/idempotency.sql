-- The purchases whose idempotency key has made an order already, in the last day or still open.
create or replace function known_keys_rejected(items order_placing[]) returns order_rejection[]
language plpgsql as $$
begin
  return array(
    select row(x.i, 'known_key', k.order_id, null)::order_rejection
      from unnest(items) x
     cross join lateral (
       select k.order_id from idempotency_keys k
        where k.customer_id = x.customer_id and k.key = x.idempotency_key
          and (k.created_at >= clock_timestamp() - interval '24 hours'
               or exists (select from orders o
                           where o.id = k.order_id and o.closed_at is null))) k);
end $$;

-- Stores the keys of placed orders, each in place of one that is no longer remembered.
create or replace function idempotency_keys_store(placed order_placing[]) returns void
language plpgsql as $$
begin
  if not exists (select from unnest(placed) x where x.idempotency_key is not null) then
    return;
  end if;
  delete from idempotency_keys k using unnest(placed) x
   where k.customer_id = x.customer_id and k.key = x.idempotency_key
     and k.created_at < clock_timestamp() - interval '24 hours';
  insert into idempotency_keys (customer_id, key, digest, order_id)
  select x.customer_id, x.idempotency_key, x.idempotency_digest, x.id
    from unnest(placed) x where x.idempotency_key is not null
   order by x.customer_id, x.idempotency_key;
end $$;

-- Stores the answers to settled orders under their keys. The key of an order that was open for more
-- than an hour is remembered from now on, because its caller may ask again only now.
create or replace function idempotency_keys_answer(due order_settling[]) returns void
language plpgsql as $$
declare
  hour_ago constant timestamptz := clock_timestamp() - interval '1 hour';
begin
  update idempotency_keys k
     set answer = coalesce(x.answer, k.answer),
         created_at = case when greatest(k.created_at, o.created_at) < hour_ago
                           then clock_timestamp() else k.created_at end
    from unnest(due) x join orders o on o.id = x.order_id
   where k.order_id = x.order_id
     and (x.answer is not null or greatest(k.created_at, o.created_at) < hour_ago);
end $$;
