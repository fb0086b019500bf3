-- Invoices and credit notes. An issued document never changes: an open invoice may be paid or
-- voided, once, and a correction is a credit note.

-- The last number that was given, with its year and time. One row: its lock makes the numbers of a
-- year gapless, and given in the order of their times.
create table invoice_numbers (
  only_row boolean primary key default true check (only_row),
  year integer not null,
  number integer not null,
  issued_at timestamptz not null
);
insert into invoice_numbers (year, number, issued_at) values (0, 0, '-infinity');

create table invoices (
  id bigint generated always as identity primary key,
  customer_id text not null references customers (id),
  kind text not null check (kind in ('invoice', 'credit_note')),
  -- Year and number within it: 2026-000001.
  invoice_number text not null check (invoice_number ~ '^[0-9]{4}-[0-9]{6,}$'),
  status text not null check (status in ('open', 'paid', 'void')),
  currency text not null check (currency in ('USD', 'EUR')),
  -- Minor units: the sum of a hundred lines exceeds a bigint.
  subtotal_amount numeric(24) not null check (subtotal_amount > 0),
  tax_amount numeric(24) not null check (tax_amount >= 0),
  total_amount numeric(25) not null generated always as (subtotal_amount + tax_amount) stored,
  notes text check (length(notes) <= 1000),
  -- Of a credit note: the invoice that it corrects.
  credited_invoice_id bigint,
  -- The payment, or the reversal of one, that this document belongs to.
  payment_id text,
  processor_checkout_session_id text check (length(processor_checkout_session_id) <= 255),
  processor_payment_intent_id text check (length(processor_payment_intent_id) <= 255),
  -- Both parties as they were when it was issued.
  seller_name text,
  seller_address text,
  seller_tax_id text,
  buyer_name text not null,
  buyer_company text,
  buyer_email text not null,
  buyer_address text,
  -- ISO 3166-1 alpha-2.
  buyer_country text,
  issued_at timestamptz not null,
  due_at timestamptz,
  paid_at timestamptz,
  voided_at timestamptz,
  updated_at timestamptz not null,
  constraint invoices_number unique (invoice_number),
  constraint invoices_one_of_payment unique (payment_id),
  -- The target of foreign keys: a document of the same customer.
  constraint invoices_of_customer unique (customer_id, id),
  constraint invoices_credited foreign key (customer_id, credited_invoice_id)
    references invoices (customer_id, id),
  constraint invoices_credit_note check (
    (kind = 'credit_note') = (credited_invoice_id is not null)),
  constraint invoices_ended check (
    (status = 'paid') = (paid_at is not null) and (status = 'void') = (voided_at is not null))
);
create index invoices_credits on invoices (customer_id, credited_invoice_id)
  where credited_invoice_id is not null;

create table invoice_items (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices (id),
  description text not null check (length(description) between 1 and 300),
  quantity integer not null check (quantity between 1 and 1000),
  unit_amount numeric(20) not null check (unit_amount > 0),
  total_amount numeric(24) not null generated always as (unit_amount * quantity) stored
);
create index invoice_items_of_invoice on invoice_items (invoice_id, id);

-- A line of the balance names the document of its payment.
alter table ledger_transfers add constraint ledger_transfer_invoice
  foreign key (customer_id, invoice_id) references invoices (customer_id, id);

-- Documents come from invoices_issue alone; the service ends an open one.
select withhold_columns('invoices', fixed => '{id,customer_id,kind,invoice_number,currency,
  subtotal_amount,tax_amount,total_amount,notes,credited_invoice_id,payment_id,seller_name,
  seller_address,seller_tax_id,buyer_name,buyer_company,buyer_email,buyer_address,buyer_country,
  issued_at,due_at}');
select make_append_only('invoice_items', false);
select make_append_only('invoice_numbers', false);
