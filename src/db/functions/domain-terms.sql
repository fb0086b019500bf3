-- The same day and time that many years later, in UTC. 29 February becomes 28 February.
create or replace function years_later(moment timestamptz, years integer) returns timestamptz
language sql immutable as $$
  select ((moment at time zone 'UTC') + make_interval(years => years)) at time zone 'UTC'
$$;

-- A capture adds its years, once, to the years that were paid before.
create or replace function domain_terms_check_sum() returns trigger language plpgsql as $$
declare
  before timestamptz := (select t.paid_until from domain_terms t
                          where t.domain_id = new.domain_id order by t.id desc limit 1);
begin
  if new.paid_until is distinct from years_later(before, new.years) then
    raise exception 'a term of % is paid until %, and % more years are not %', new.domain_id,
      before, new.years, new.paid_until using errcode = 'check_violation';
  end if;
  if new.kind = 'added' and not exists (
    select from ledger_transfers t
     where t.operation_id = new.order_id and t.phase in ('post', 'void') and t.phase = 'post') then
    raise exception 'order % was not captured', new.order_id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace trigger domain_terms_check_sum before insert on domain_terms for each row
  when (new.kind in ('added', 'refunded')) execute function domain_terms_check_sum();

-- A holding begins with the term that was bought with it.
create or replace function domains_insert_term() returns trigger language plpgsql as $$
begin
  insert into domain_terms (domain_id, order_id, kind, years, paid_until)
  values (new.id, new.order_id, 'begun', new.period_years, new.expiry);
  return null;
end $$;

create or replace trigger domains_insert_term after insert on domains for each row
  execute function domains_insert_term();

-- Only a term moves paid until.
create or replace function domains_check_expiry() returns trigger language plpgsql as $$
begin
  if new.expiry is distinct from (select t.paid_until from domain_terms t
                                   where t.domain_id = new.id order by t.id desc limit 1) then
    raise exception 'domains.expiry of % moves only by a term that was paid', new.name
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace trigger domains_check_expiry before update of expiry on domains for each row
  when (old.expiry is distinct from new.expiry) execute function domains_check_expiry();
