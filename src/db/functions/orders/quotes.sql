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
        -- The order itself is excepted: the response to its commit was lost, and it is placed
        -- again.
        or o.id is not null and o.id <> x.id
        or not exists (
             select from quotes q
              where q.id = x.quote_id and q.customer_id = x.customer_id and q.type = x.type
                and q.domain = x.domain and q.currency = x.currency and q.amount >= x.amount
                and q.period_years = (x.command ->> 'period_years')::integer
                and (q.expires_at > at or o.id = x.id)));
end $$;

-- The purchases whose quote is not for them.
create or replace function quotes_rejected(items order_placing[], at timestamptz)
returns order_rejection[]
language plpgsql as $$
declare
  refused text[];
begin
  if not exists (select from unnest(items) x where x.quote_id is not null) then
    return '{}';
  end if;
  refused := quotes_refused(items, at);
  return array(
    select row(x.i, 'unquoted', null, null)::order_rejection
      from unnest(items) x where x.id = any (refused));
end $$;
