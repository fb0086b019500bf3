create table processor_top_ups (
  processor_checkout_session_id text primary key,
  processor_payment_intent_id text unique,
  customer_id text not null references customers (id),
  currency text not null,
  amount bigint not null check (amount > 0),
  entry_id bigint not null references ledger_entries (id),
  created_at timestamptz not null default clock_timestamp()
);
select make_append_only('processor_top_ups');
