-- Double entry. Amounts are bigint minor units; a liability to a customer and revenue are positive,
-- money that came in from outside is negative, so that the legs of every entry sum to zero.

create table ledger_balances (
  customer_id text not null references customers (id),
  currency text not null check (currency in ('USD', 'EUR')),
  available bigint not null default 0,
  held bigint not null default 0,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (customer_id, currency),
  constraint no_overdraft check (available >= 0),
  constraint no_negative_hold check (held >= 0)
) with (fillfactor = 60);

create table ledger_entries (
  id bigint generated always as identity primary key,
  type text not null check (
    type in ('top_up', 'hold', 'capture', 'release', 'refund', 'reversal', 'adjustment')),
  customer_id text not null,
  currency text not null,
  amount bigint not null check (amount <> 0),
  available_after bigint not null,
  held_after bigint not null,
  description text not null,
  domain text,
  operation_id text,
  checkout_id text,
  invoice_id bigint,
  created_at timestamptz not null default clock_timestamp(),
  -- What every entry is evidence of: an order's price, or a payment.
  held_order text generated always as (case when type = 'hold' then operation_id end) stored,
  ended_order text
    generated always as (case when type in ('capture', 'release') then operation_id end) stored,
  credited_checkout text
    generated always as (case when type = 'top_up' then checkout_id end) stored,
  price bigint generated always as (abs(amount)) stored,
  foreign key (customer_id, currency) references ledger_balances (customer_id, currency),
  -- A type without evidence of its own (refund, reversal, adjustment) gets its branch with the
  -- table that holds the evidence.
  constraint ledger_entry_evidence check (
    case type
      when 'hold' then operation_id is not null and amount < 0
      when 'capture' then operation_id is not null and amount < 0
      when 'release' then operation_id is not null and amount > 0
      when 'top_up' then checkout_id is not null and amount > 0
      else false
    end),
  constraint ledger_hold_has_order foreign key (held_order, customer_id, currency, price)
    references orders (id, customer_id, currency, amount)
);
create index ledger_entries_of_customer on ledger_entries (customer_id, id desc);
create index ledger_entries_of_currency on ledger_entries (customer_id, currency, id desc);
-- Law 3: one hold, and one end of it, for each operation.
create unique index ledger_one_hold on ledger_entries (operation_id) where type = 'hold';
create unique index ledger_one_end on ledger_entries (operation_id)
  where type in ('capture', 'release');
create unique index ledger_one_credit on ledger_entries (checkout_id) where type = 'top_up';
-- After the index, whose name a second hold is to meet first.
alter table ledger_entries
  add constraint ledger_hold_of_order unique (held_order, customer_id, currency, price),
  add constraint ledger_end_has_hold foreign key (ended_order, customer_id, currency, price)
    references ledger_entries (held_order, customer_id, currency, price);

create table ledger_postings (
  entry_id bigint not null references ledger_entries (id),
  leg smallint not null check (leg between 1 and 9),
  account text not null check (
    account in ('customer_available', 'customer_held', 'processor', 'sales', 'adjustments')),
  amount bigint not null check (amount <> 0),
  primary key (entry_id, leg)
);

create table processor_top_ups (
  processor_checkout_session_id text primary key,
  processor_payment_intent_id text unique,
  customer_id text not null references customers (id),
  currency text not null,
  amount bigint not null check (amount > 0),
  entry_id bigint not null references ledger_entries (id),
  created_at timestamptz not null default clock_timestamp(),
  -- What a credit refers to.
  constraint processor_top_ups_price
    unique (processor_checkout_session_id, customer_id, currency, amount),
  constraint processor_top_ups_entry unique (entry_id)
);
-- At commit, as the payment names its entry and the entry its payment.
alter table ledger_entries add constraint ledger_credit_has_payment
  foreign key (credited_checkout, customer_id, currency, price)
  references processor_top_ups (processor_checkout_session_id, customer_id, currency, amount)
  deferrable initially deferred;

select make_append_only('ledger_balances', false);
select make_append_only('ledger_entries', false);
select make_append_only('ledger_postings', false);
select make_append_only('processor_top_ups');

-- The movement of a buyer's money by a step of an order: hold | capture | release of an amount
-- above 0.
create type ledger_move as (
  type text, customer_id text, currency text, amount bigint, description text, domain text,
  operation_id text);
