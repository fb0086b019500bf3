-- Nodes of the version before migration 0040 name a token's payment by the number of its log, which
-- endpoints give differently: a payment that exists under any other id is not stored again.
create or replace function checkout_payments_once() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select from checkout_payments p where p.id = new.id) then
    return new;
  end if;
  if exists (select from checkout_payments p
              where p.checkout_id = new.checkout_id
                and (p.asset, p.network, p.transaction_id, p.amount)
                  = (new.asset, new.network, new.transaction_id, new.amount)) then
    return null;
  end if;
  return new;
end $$;

create or replace trigger checkout_payments_once before insert on checkout_payments
  for each row when (new.id ~ '^eip155:[0-9]+/0x[0-9a-f]{64}/[0-9]+$')
  execute function checkout_payments_once();
