-- Top-ups by card: a checkout is one session of the card processor, and at most one payment.
create table card_checkouts (
  -- The session carries it, and opens once by it (its idempotency key).
  id text collate "C" primary key check (id ~ '^ctp_[0-9a-hjkmnp-tv-z]{26}$'),
  customer_id text not null references customers (id),
  currency text not null check (currency in ('USD', 'EUR')),
  amount_cents bigint not null check (amount_cents > 0),
  -- opening: the processor has not confirmed its session yet. processing: a bank debit takes days.
  -- parked: the processor's answer cannot be right, and an operator decides.
  status text not null default 'opening'
    check (status in ('opening', 'open', 'processing', 'paid', 'expired', 'failed', 'parked')),
  session_id text unique check (length(session_id) <= 255),
  -- The page on which it is paid; null once it is not open.
  session_url text,
  -- Where a person comes back to; a repeated request for the session must be the same.
  return_url text not null,
  payment_id text unique,
  parked_reason text,
  expires_at timestamptz not null,
  -- When the session was last asked for.
  read_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null default clock_timestamp(),
  -- The credit has the customer and the amount that were asked for.
  constraint card_checkouts_payment foreign key (payment_id, customer_id, currency, amount_cents)
    references payments (id, customer_id, currency, amount),
  constraint card_checkouts_opened check (
    session_id is not null or status in ('opening', 'failed')),
  constraint card_checkouts_paid check ((status = 'paid') = (payment_id is not null)),
  constraint card_checkouts_parked check ((status = 'parked') = (parked_reason is not null))
) with (fillfactor = 70);
create index card_checkouts_of_customer on card_checkouts (customer_id, id desc);
create index card_checkouts_parked on card_checkouts (id) where status = 'parked';
create index card_checkouts_open on card_checkouts (customer_id)
  where status in ('opening', 'open');

-- Readings of a payment's refunds and disputes. A reading that began before one that was applied
-- already may be older, and is dropped.
create table card_readings (
  payment_id text primary key references payments (id),
  -- The number of the last reading that began, and of the last one that was applied.
  begun bigint not null check (begun > 0),
  applied bigint not null default 0 check (applied <= begun),
  -- The part of refunds and disputes beyond the payment, or in another currency: for an operator.
  parked_cents bigint not null default 0 check (parked_cents >= 0),
  -- As much of it as an operator has dealt with.
  settled_cents bigint not null default 0 check (settled_cents >= 0)
) with (fillfactor = 70);
create index card_readings_parked on card_readings (payment_id)
  where parked_cents <> settled_cents;
