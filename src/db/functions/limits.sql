-- The start of the calendar window (UTC) that a moment is in, or null without a window.
create or replace function limit_window_start(spend_window text, at timestamptz) returns date
language sql immutable as $$
  select case spend_window
           when 'day' then (at at time zone 'UTC')::date
           when 'month' then date_trunc('month', at at time zone 'UTC')::date
           when 'total' then date '0001-01-01' end
$$;

-- The part of a budget that is spent in the window of this moment, or in a later one that a clock
-- had reached before it was set back, since that window does not begin again.
create or replace function limit_spent(l access_limits, at timestamptz) returns bigint
language sql immutable as $$
  select case when l.spent_from >= limit_window_start(l.spend_window, at) then l.spent else 0 end
$$;

-- All limits that apply to a caller: of the key, its ancestors, and the app of the consent.
create or replace function limits_of_caller(key_id bigint, grant_id text)
returns setof access_limits
language sql stable rows 4 set search_path = public, pg_temp as $$
  select l.* from api_keys k join access_limits l on l.api_key_id = any (k.ancestors || k.id)
   where k.id = key_id
  union all
  select l.* from oauth_grants g
    join access_limits l on l.customer_id = g.customer_id and l.oauth_client_id = g.client_id
   where g.id = coalesce(grant_id, (select k.oauth_grant_id from api_keys k where k.id = key_id))
$$;

-- The rule of a limit that refuses a purchase, given other purchases of this total, or null if none
-- does. The alphabetically first of several rules is reported, so that it is 'unapproved' only
-- where nothing but the owner's approval is missing.
create or replace function limit_refusal(
  l access_limits, amount bigint, currency text, spent bigint, approved boolean) returns text
language sql immutable as $$
  select case when l.spend_currency <> currency or l.price_currency <> currency
                or l.approval_currency <> currency then 'currency'
              when amount > l.price_amount then 'max_price'
              when spent + amount > l.spend_amount then 'spend_limit'
              when not approved and amount > l.approval_amount then 'unapproved' end
$$;

-- Whether the lists of a limit allow buying a domain: patterns as parseDomainPattern returns them.
create or replace function limit_allows(l access_limits, domain text) returns boolean
language sql immutable as $$
  select (l.allowed_tlds is null
          or substr(domain, strpos(domain, '.') + 1) = any (l.allowed_tlds))
     and (l.allowed_domains is null
          or exists (select from unnest(l.allowed_domains) p
                      where domain ~ ('^' || replace(replace(p, '.', '\.'), '*', '[^.]*') || '$')))
$$;

-- Whether a limit allows calls from an address, which is null if the service itself makes the call.
create or replace function limit_admits(l access_limits, address text) returns boolean
language sql immutable as $$
  select l.allowed_ips is null or address is null
      or exists (select from unnest(l.allowed_ips) n where address::inet <<= n::inet)
$$;

-- The limits of purchases that are about to be placed. `refused` is the rule that would refuse the
-- purchase in an unspent window, so that one that is placed already is never refused here: `domain`
-- if it is outside the lists and its owner did not approve it, `address` if it was requested from
-- another address. `tight` states whether all of them together exceed the rest of the limit. Both
-- are null without a limit. The caller holds the locks of their balances, so that no other
-- transaction spends meanwhile.
create or replace function limits_of_orders(items order_placing[], at timestamptz)
returns order_limit[]
language sql stable set search_path = public, pg_temp as $$
  select nullif(array(
    select row(x.id, l.id,
               least(case when (x.approval_id is null or l.outside_allowed is null)
                               and not limit_allows(l, x.domain) then 'domain' end,
                     case when not limit_admits(l, x.address) then 'address' end,
                     limit_refusal(l, x.amount, x.currency, 0, x.approval_id is not null)),
               coalesce(limit_spent(l, at) + sum(x.amount) over (partition by l.id)
                          > l.spend_amount, false))::order_limit
      from unnest(items) x
     cross join lateral limits_of_caller(x.api_key_id, x.oauth_grant_id) l), '{}')
$$;

-- The purchases whose caller may not buy any more (`ended`), or that one of its limits refuses,
-- without those that are placed already: the response to their commit was lost.
create or replace function callers_rejected(
  items order_placing[], ended text[], limits order_limit[]) returns order_rejection[]
language plpgsql as $$
begin
  if limits is null and ended = '{}' then
    return '{}';
  end if;
  return array(
    select row(x.i, 'limit',
               case when x.id = any (ended) then 'ended' else r.refused end, null)::order_rejection
      from unnest(items) x
     cross join lateral (
       select min(m.refused) as refused from unnest(limits) m where m.order_id = x.id) r
     where (x.id = any (ended) or r.refused is not null)
       and not exists (select from orders o where o.id = x.id));
end $$;

-- The stored orders that exceed the rest of a budget, now that those before them are counted; they
-- are deleted.
create or replace function budgets_rejected(
  items order_placing[], limits order_limit[], at timestamptz) returns order_rejection[]
language plpgsql as $$
declare
  rejected order_rejection[];
begin
  if limits is null then
    return '{}';
  end if;
  rejected := array(
    select row(x.i, 'limit', 'spend_limit', null)::order_rejection
      from unnest(items) x
     where exists (
       select from unnest(limits) m join access_limits l on l.id = m.limit_id
        where m.order_id = x.id and m.tight
          and limit_refusal(l, x.amount, x.currency, limit_spent(l, at),
                            x.approval_id is not null) is not null));
  if rejected <> '{}' then
    delete from orders o using unnest(items) x, unnest(rejected) r
     where r.i = x.i and o.id = x.id;
  end if;
  return rejected;
end $$;

-- Counts placed orders against the limits that apply to them.
create or replace function limits_charge(
  placed order_placing[], limits order_limit[], at timestamptz) returns void
language sql set search_path = public, pg_temp as $$
  update access_limits l
     set spent = limit_spent(l, at) + c.amount,
         spent_from = greatest(l.spent_from, limit_window_start(l.spend_window, at))
    from (select m.limit_id, x.currency, sum(x.amount) as amount
            from unnest(placed) x join unnest(limits) m on m.order_id = x.id
           group by m.limit_id, x.currency) c
   where l.id = c.limit_id and l.spend_currency = c.currency
$$;

-- Restores to the budget the amounts of released orders, in the window of their hold if that is
-- still the one that is counted. A counter that is too small, which is a bug, blocks no settlement.
create or replace function limits_release(released text[]) returns void
language sql set search_path = public, pg_temp as $$
  update access_limits l set spent = greatest(l.spent - c.amount, 0)
    from (select m.id, o.currency, limit_window_start(m.spend_window, o.created_at) as starts,
                 sum(o.amount) as amount
            from orders o cross join lateral limits_of_caller(o.api_key_id, o.oauth_grant_id) m
           where o.id = any (released)
           group by 1, 2, 3) c
   where l.id = c.id and l.spend_currency = c.currency and l.spent_from = c.starts
$$;

-- The amount that the orders of a key with its descendants, or of an app with its keys, have taken
-- since a moment: held or captured.
create or replace function limits_count(l access_limits, since timestamptz) returns bigint
language sql stable set search_path = public, pg_temp as $$
  with consents as (
    select g.id from oauth_grants g
     where g.customer_id = l.customer_id and g.client_id = l.oauth_client_id)
  select coalesce(sum(o.amount), 0)::bigint from orders o
   where o.customer_id = l.customer_id and o.currency = l.spend_currency and o.state <> 'failed'
     and o.created_at >= since
     and (o.oauth_grant_id = any (array(select id from consents))
          or o.api_key_id = any (array(
               select k.id from api_keys k
                where k.customer_id = l.customer_id
                  and (l.api_key_id = any (k.ancestors || k.id)
                       or k.oauth_grant_id = any (array(select id from consents))))))
$$;

-- Locks the customer's balances, as every purchase does first: a change of limits comes before one
-- or after it.
create or replace function limits_lock(customer text) returns void
language sql security definer set search_path = public, pg_temp as $$
  select ledger_lock(array[customer, customer], '{EUR,USD}')
$$;

-- Recounts a budget after it was changed, under the lock of limits_lock.
create or replace function limits_recount(limit_id bigint, at timestamptz) returns void
language sql set search_path = public, pg_temp as $$
  update access_limits l
     set spent_from = limit_window_start(l.spend_window, at),
         spent = limits_count(
           l, limit_window_start(l.spend_window, at)::timestamp at time zone 'UTC')
   where l.id = limit_id
$$;

-- The lists of the limits of a caller, for authentication: {"domains": [[...]], "tlds": [[...]],
-- "ips": [[...]]}, one for each limit that has one; strict_domains and strict_tlds are those of
-- limits that do not ask the owner; "dns": [{"hosts": [...], "types": [...], "in_person": true}].
-- Null if there is no limit.
create or replace function limits_of_access(key_id bigint, grant_id text) returns jsonb
language sql stable set search_path = public, pg_temp as $$
  select jsonb_build_object(
           'domains', coalesce(jsonb_agg(l.allowed_domains)
                                 filter (where l.allowed_domains is not null), '[]'),
           'tlds', coalesce(jsonb_agg(l.allowed_tlds)
                              filter (where l.allowed_tlds is not null), '[]'),
           'strict_domains', coalesce(jsonb_agg(l.allowed_domains) filter (
             where l.allowed_domains is not null and l.outside_allowed is null), '[]'),
           'strict_tlds', coalesce(jsonb_agg(l.allowed_tlds) filter (
             where l.allowed_tlds is not null and l.outside_allowed is null), '[]'),
           'ips', coalesce(jsonb_agg(l.allowed_ips) filter (where l.allowed_ips is not null), '[]'),
           'dns', coalesce(jsonb_agg(jsonb_build_object(
             'hosts', l.dns_hosts, 'types', l.dns_types, 'in_person', l.dns_in_person))
               filter (where l.dns_in_person is not null), '[]'))
    from limits_of_caller(key_id, grant_id) l
  having count(*) > 0
$$;
