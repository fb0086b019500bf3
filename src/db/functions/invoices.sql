-- Issues a document with its items and the next number of its year; returns its id. The number's
-- row stays locked until the transaction ends, and a rollback gives the number back. So call it
-- before the balance is locked, in every transaction that does both: one order of locks.
-- facts: kind, status, tax_amount (minor units), notes, due_at, paid_at, credited_invoice_id,
-- payment_id, processor_checkout_session_id, processor_payment_intent_id, seller_name,
-- seller_address, seller_tax_id. items: description, quantity, unit_amount (minor units).
create or replace function invoices_issue(
  customer text, currency text, facts jsonb, items jsonb) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  given invoice_numbers;
  issued timestamptz;
  invoice bigint;
begin
  select * into strict given from invoice_numbers for update;
  -- A clock that was set back must not give a later number an earlier time.
  issued := greatest(clock_timestamp(), given.issued_at);
  given.number := case
    when given.year = extract(year from issued at time zone 'UTC') then given.number + 1
    else 1 end;
  given.year := extract(year from issued at time zone 'UTC');
  update invoice_numbers set year = given.year, number = given.number, issued_at = issued;

  insert into invoices (
    customer_id, kind, invoice_number, status, currency, subtotal_amount, tax_amount, notes,
    credited_invoice_id, payment_id, processor_checkout_session_id, processor_payment_intent_id,
    seller_name, seller_address, seller_tax_id, buyer_name, buyer_company, buyer_email,
    buyer_address, buyer_country, issued_at, due_at, paid_at, updated_at)
  select c.id, facts->>'kind',
         given.year || '-' || lpad(given.number::text,
                                   greatest(6, length(given.number::text)), '0'),
         facts->>'status', invoices_issue.currency,
         (select sum((item->>'unit_amount')::numeric * (item->>'quantity')::integer)
            from jsonb_array_elements(items) as item),
         (facts->>'tax_amount')::numeric, facts->>'notes',
         (facts->>'credited_invoice_id')::bigint, facts->>'payment_id',
         facts->>'processor_checkout_session_id', facts->>'processor_payment_intent_id',
         facts->>'seller_name', facts->>'seller_address', facts->>'seller_tax_id',
         coalesce(b.name, c.name),
         case when b.id is null then c.company_name else b.company_name end,
         coalesce(b.email, c.email),
         nullif(concat_ws(E'\n', b.address, b.address_line_2, b.zip || ' ' || b.city, b.state), ''),
         b.country,
         issued, (facts->>'due_at')::timestamptz, (facts->>'paid_at')::timestamptz, issued
    from customers c
    left join lateral (
      select * from contacts k
       where k.customer_id = c.id and (k.default_billing or k.default_registrant)
       order by k.default_billing desc limit 1) b on true
   where c.id = invoices_issue.customer
  returning id into strict invoice;

  insert into invoice_items (invoice_id, description, quantity, unit_amount)
  select invoice, item->>'description', (item->>'quantity')::integer,
         (item->>'unit_amount')::numeric
    from jsonb_array_elements(items) with ordinality as given_items (item, position)
   order by position;
  return invoice;
end $$;

-- The columns that the end of an invoice writes.
create or replace function invoices_end_columns() returns text[] language sql immutable as $$
  -- The total is among them because it is generated, after the trigger.
  select '{status,paid_at,voided_at,processor_checkout_session_id,processor_payment_intent_id,
           updated_at,total_amount}'::text[] $$;

-- An issued document is evidence, so only the end of an invoice may be written, once.
create or replace function invoices_keep() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.status = 'open' and new.status in ('paid', 'void')
     and to_jsonb(new) - invoices_end_columns() = to_jsonb(old) - invoices_end_columns() then
    return new;
  end if;
  raise exception 'invoice % is issued and does not change', old.invoice_number
    using errcode = 'check_violation';
end $$;

create or replace trigger invoices_keep before update or delete on invoices
  for each row execute function invoices_keep();
