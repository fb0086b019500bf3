-- compatible from: 0023
-- Until when a holding is paid, as an append-only ledger of its terms: how it began, the years of
-- each capture since, less refunded years. domains.expiry is the newest paid_until, and nothing
-- else.
create table domain_terms (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains (id),
  -- The order whose capture it is.
  order_id text not null,
  kind text not null check (kind in ('begun', 'added', 'refunded', 'backfilled')),
  years integer not null,
  paid_until timestamptz not null,
  -- False: written by this migration, and not what the orders of the holding come to.
  fits boolean not null default true,
  detail text,
  noted_at timestamptz not null default clock_timestamp(),
  check (case kind when 'added' then years > 0 when 'refunded' then years < 0 else true end)
);
create index domain_terms_of_domain on domain_terms (domain_id, id desc);
create unique index domain_terms_added_once on domain_terms (order_id) where kind = 'added';
create index domain_terms_misfits on domain_terms (domain_id) where not fits;
select make_append_only('domain_terms', false);

-- The same day and time so many years later, in UTC; 29 February becomes 28 February.
create function years_later(moment timestamptz, years integer) returns timestamptz
language sql immutable as $$
  select ((moment at time zone 'UTC') + make_interval(years => years)) at time zone 'UTC'
$$;

-- Years are added by a capture, once, to what was paid before.
create function domain_terms_follow() returns trigger language plpgsql as $$
declare
  before timestamptz := (select t.paid_until from domain_terms t
                          where t.domain_id = new.domain_id order by t.id desc limit 1);
begin
  if new.paid_until is distinct from years_later(before, new.years) then
    raise exception 'a term of % is paid until %, and % more years are not %', new.domain_id,
      before, new.years, new.paid_until using errcode = 'check_violation';
  end if;
  if new.kind = 'added' and not exists (
    select from ledger_entries e
     where e.operation_id = new.order_id and e.type in ('capture', 'release')
       and e.type = 'capture') then
    raise exception 'order % was not captured', new.order_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger domain_terms_follow before insert on domain_terms for each row
  when (new.kind in ('added', 'refunded')) execute function domain_terms_follow();

-- A holding begins with the term that was bought with it.
create function domain_term_begins() returns trigger language plpgsql as $$
begin
  insert into domain_terms (domain_id, order_id, kind, years, paid_until)
  values (new.id, new.order_id, 'begun', new.period_years, new.expiry);
  return null;
end $$;

-- Paid until moves by a term alone.
create function domain_expiry_is_a_term() returns trigger language plpgsql as $$
begin
  if new.expiry is distinct from (select t.paid_until from domain_terms t
                                   where t.domain_id = new.id order by t.id desc limit 1) then
    raise exception 'domains.expiry of % moves only by a term that was paid', new.name
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Holdings of before. One that a registration made: its date of creation (or, where that is not
-- near its order, the order's own time) plus its years and those of its renewals. One that a
-- transfer made: its date less the years of its renewals must be one that a transfer can lead to. A
-- restore may have brought a year. What fits stays as it is. What does not is reported; where the
-- orders come to more than is written, that is what is paid.
with bought as (
  select d.id, d.order_id, d.expiry, d.period_years, o.type, o.first_sent_at,
         case when d.registered_at between o.first_sent_at - interval '1 day'
                                       and o.first_sent_at + interval '31 days'
              then d.registered_at else o.first_sent_at end as began,
         coalesce((o.command->>'period_years')::integer, d.period_years) as first_years,
         coalesce(r.years, 0)::integer as renewed, coalesce(r.restores, 0)::integer as restores
    from domains d
    left join orders o on o.id = d.order_id
    left join lateral (
      select sum((p.command->>'period_years')::integer) filter (where p.type = 'renew') as years,
             count(*) filter (where p.type = 'restore') as restores
        from orders p
       where p.domain = d.name and p.customer_id = d.customer_id and p.state = 'succeeded'
         and p.type in ('renew', 'restore') and p.created_at >= o.created_at) r on true
   where d.ended_at is null
), counted as (
  select b.*,
         case when b.type = 'transfer' then years_later(b.first_sent_at, b.first_years + b.renewed)
              else years_later(b.began, b.first_years + b.renewed) end as least,
         case
           when b.type = 'register' then exists (
             select from generate_series(0, b.restores) k
              where b.expiry between years_later(b.began, b.first_years + b.renewed + k)
                                       - interval '2 days'
                                 and years_later(b.began, b.first_years + b.renewed + k)
                                       + interval '2 days')
           when b.type = 'transfer' then
             years_later(b.expiry, -b.renewed) between
               years_later(b.first_sent_at, b.first_years) - interval '60 days'
               and years_later(b.first_sent_at, 10) + interval '40 days'
           else false
         end as fits
    from bought b
)
insert into domain_terms (domain_id, order_id, kind, years, paid_until, fits, detail)
select c.id, c.order_id, 'backfilled', coalesce(c.first_years, c.period_years) + c.renewed,
       case when c.fits or c.least is null then c.expiry else greatest(c.expiry, c.least) end,
       c.fits,
       case when not c.fits then format(
         'expiry was %s; its orders (%s, %s years, renewed for %s) come to %s', c.expiry,
         coalesce(c.type, 'none'), c.first_years, c.renewed, c.least) end
  from counted c order by c.id;

update domains d set expiry = t.paid_until, updated_at = clock_timestamp()
  from domain_terms t where t.domain_id = d.id and t.paid_until <> d.expiry;

create trigger domain_term_begins after insert on domains for each row
  execute function domain_term_begins();
create trigger domain_expiry_is_a_term before update of expiry on domains for each row
  when (old.expiry is distinct from new.expiry) execute function domain_expiry_is_a_term();

-- Years that the capture of a restore adds; null from a node of before.
alter type holding_facts add attribute paid_years integer;

-- As before (0011), but that renewals and restores move paid until by their years, whatever date
-- came with them.
create or replace function domains_bought(items order_settling[]) returns void
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
    insert into domain_terms (domain_id, order_id, kind, years, paid_until)
    select d.id, x.order_id, 'added', y.years, years_later(d.expiry, y.years)
      from unnest(items) x
      join domains d on d.name = x.domain and d.customer_id = x.customer_id
                    and d.ended_at is null
      join orders o on o.id = x.order_id
     cross join lateral (
       select case when x.type = 'renew'
                   then coalesce((o.command->>'period_years')::integer, (x.holding).period_years)
                   when (x.holding).paid_years is not null then least((x.holding).paid_years, 1)
                   when (x.holding).expires_at > d.expiry + interval '300 days' then 1
                   else 0 end as years) y
     where x.type in ('renew', 'restore') and y.years > 0;
    update domains d
       set expiry = coalesce((select t.paid_until from domain_terms t
                               where t.domain_id = d.id and t.order_id = x.order_id
                                 and t.kind = 'added'), d.expiry),
           registry_expiry = (x.holding).registry_expiry,
           period_years = (x.holding).period_years, deletion_at = null, synced_at = null,
           epp_statuses = coalesce((x.holding).epp_statuses, d.epp_statuses),
           rgp_statuses = coalesce((x.holding).rgp_statuses, d.rgp_statuses),
           sync_at = (x.holding).sync_at, updated_at = clock_timestamp()
      from unnest(items) x
     where x.type in ('renew', 'restore') and d.name = x.domain
       and d.customer_id = x.customer_id and d.ended_at is null;
  end if;
end $$;
