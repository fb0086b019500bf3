-- Top-ups through a payment gateway. The row is there before the gateway is asked, so that a crash
-- between the two repeats the same request.
create table checkouts (
  id text primary key check (id ~ '^chk_[0-9a-hjkmnp-tv-z]{26}$'),
  customer_id text not null references customers (id),
  gateway text not null check (length(gateway) between 1 and 32),
  -- Minor units.
  amount bigint not null check (amount > 0),
  currency text not null check (currency in ('USD', 'EUR')),
  -- It follows from the payments and the time: decision 53.
  status text not null default 'created' check (status in (
    'created', 'awaiting_payment', 'confirming', 'paid', 'underpaid', 'expired', 'failed')),
  expires_at timestamptz not null,
  -- The rest is null until the start, which chooses an asset and opens it at the gateway.
  started_at timestamptz,
  asset text,
  network text,
  decimals integer check (decimals between 0 and 36),
  -- Whether the asset is a stablecoin of the currency.
  is_pegged boolean,
  required_confirmations integer,
  -- The gateway's own id of it: an address, or an invoice.
  reference text check (length(reference) between 1 and 200),
  pay_address text,
  -- Base units, as all amounts of an asset.
  pay_amount numeric(78) check (pay_amount > 0),
  payment_uri text,
  page_url text,
  -- So many base units for so many cents, until it expires.
  quote_units numeric(78) check (quote_units > 0),
  quote_cents numeric(78) check (quote_cents > 0),
  -- Payments are looked for until then.
  watched_until timestamptz,
  -- When the gateway is asked next, where each checkout is asked for on its own.
  look_at timestamptz,
  -- When its payments are to be settled, or it expires. Null: nothing is to be done.
  settle_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- No address and no invoice is ever paid to for two checkouts.
  constraint checkouts_reference unique (gateway, reference),
  constraint checkouts_started check (
    num_nonnulls(started_at, asset, network, decimals, is_pegged, required_confirmations, reference,
                 pay_address, pay_amount, payment_uri, quote_units, quote_cents, watched_until)
      in (0, 13)),
  constraint checkouts_created check (started_at is not null or status in ('created', 'expired'))
) with (fillfactor = 80);
create index checkouts_of_customer on checkouts (customer_id, id desc);
create index checkouts_of_status on checkouts (customer_id, status, id desc);
create index checkouts_open on checkouts (customer_id, id desc)
  where status in ('created', 'awaiting_payment', 'confirming');
create index checkouts_watched on checkouts (gateway, watched_until) where started_at is not null;
create index checkouts_to_look_at on checkouts (look_at) where look_at is not null;
create index checkouts_to_settle on checkouts (settle_at) where settle_at is not null;

-- A payment that a gateway showed, as it was last observed, and what became of it.
create table checkout_payments (
  -- Permanently unique among all rails, as in `payments`.
  id text primary key check (length(id) between 1 and 270),
  checkout_id text not null references checkouts (id),
  asset text not null,
  network text not null,
  -- Null: the gateway does not list the asset.
  decimals integer check (decimals between 0 and 36),
  -- With `at`, of the block that has it: a reorganisation may change both.
  transaction_id text not null,
  amount numeric(78) not null check (amount > 0),
  state text not null check (state in ('seen', 'confirmed', 'orphaned')),
  confirmations integer not null,
  -- The gateway's own valuation, where it makes one.
  value_currency text,
  value_cents bigint,
  -- Why it must not be credited now: its peg.
  withheld text check (withheld in ('off_peg', 'no_rate')),
  -- When it came, by the gateway or the chain.
  at timestamptz not null,
  -- The start of the newest observation that changed it: an older one changes nothing.
  observed_at timestamptz not null,
  -- It is observed again until then, as a reorganisation may still undo it.
  watched_until timestamptz not null default 'infinity',
  -- kept: worth less than a cent. reversed: gone after its credit. dismissed: by an operator.
  treatment text not null default 'pending' check (treatment in (
    'pending', 'credited', 'kept', 'parked', 'reversed', 'dismissed')),
  -- Why it is, or was, parked.
  reason text check (reason in (
    'wrong_asset', 'other_currency', 'off_peg', 'facts_changed', 'credited_elsewhere',
    'too_large')),
  -- Minor units that it credited, and of these what reorganisations have taken back.
  credited bigint not null default 0 check (credited >= 0),
  taken bigint not null default 0 check (taken between 0 and credited),
  -- Of the amount: what was valued at the checkout's own quote.
  quoted_amount numeric(78) not null default 0,
  -- A quote of the time of its confirmation, for the rest.
  rate_units numeric(78) check (rate_units > 0),
  rate_cents numeric(78) check (rate_cents > 0),
  -- Numbers its reversals and reinstatements, each of which happens once.
  reversals integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint checkout_payments_value check (
    (value_currency is null) = (value_cents is null) and value_cents >= 0),
  constraint checkout_payments_rate check ((rate_units is null) = (rate_cents is null)),
  constraint checkout_payments_reason check ((treatment = 'parked') <= (reason is not null))
) with (fillfactor = 80);
create index checkout_payments_of_checkout on checkout_payments (checkout_id, at, id);
create index checkout_payments_watched on checkout_payments (watched_until);
create index checkout_payments_parked on checkout_payments (id) where treatment = 'parked';

-- Where the next observation of a gateway starts, where it reads on. It is replaced in the
-- transaction that stores what was observed, by the observation that started from it.
create table gateway_cursors (
  gateway text primary key check (length(gateway) between 1 and 32),
  cursor text,
  version bigint not null default 0,
  observed_at timestamptz not null
);

select withhold_columns('checkouts', fixed => '{id,customer_id,gateway,amount,currency,created_at}',
  defaults => '{created_at}');
select withhold_columns('checkout_payments', fixed => '{id,checkout_id,asset,network,amount,
  created_at}', defaults => '{created_at}');
