-- Top-ups by x402: a checkout's offer to pay by an authorization (EIP-3009), and the authorizations
-- that payers signed. A row is stored before it is settled; the payment itself is one of its
-- checkout, as the gateway observes it.
create table x402_offers (
  checkout_id text primary key references checkouts (id),
  chain_id bigint not null check (chain_id > 0),
  -- The contract, in lower case, and its EIP-712 domain.
  token text not null check (token ~ '^0x[0-9a-f]{40}$'),
  domain_name text not null,
  domain_version text not null,
  created_at timestamptz not null default clock_timestamp()
);
select withhold_columns('x402_offers', defaults => '{created_at}');

create table x402_authorizations (
  id text primary key check (id ~ '^xau_[0-9a-hjkmnp-tv-z]{26}$'),
  checkout_id text not null references x402_offers (checkout_id),
  customer_id text not null references customers (id),
  chain_id bigint not null,
  token text not null check (token ~ '^0x[0-9a-f]{40}$'),
  payer text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  -- Seconds since 1970, as signed.
  valid_after bigint not null,
  valid_before bigint not null,
  -- Encrypted, as anybody that has it can use it; erased at its end.
  sealed_signature text,
  state text not null default 'stored' check (
    state in ('stored', 'submitted', 'settled', 'failed', 'expired')),
  -- Of a failed one.
  reason text check (length(reason) between 1 and 100),
  -- The transaction that has transferred, once it is in a block.
  transaction_id text check (transaction_id ~ '^0x[0-9a-f]{64}$'),
  -- From a facilitator: a hint.
  hinted_transaction_id text check (hinted_transaction_id ~ '^0x[0-9a-f]{64}$'),
  submitted_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- As the contract has it: none is ever stored twice.
  constraint x402_authorizations_once unique (chain_id, token, payer, nonce),
  constraint x402_authorizations_signature check (
    (state in ('stored', 'submitted')) = (sealed_signature is not null)),
  constraint x402_authorizations_settled check (state <> 'settled' or transaction_id is not null),
  constraint x402_authorizations_reason check ((state = 'failed') = (reason is not null))
);
-- A checkout is paid by one of them, unless that fails.
create unique index x402_authorizations_of_checkout on x402_authorizations (checkout_id)
  where state in ('stored', 'submitted', 'settled');
create index x402_authorizations_unsettled on x402_authorizations (customer_id)
  where state in ('stored', 'submitted');
create index x402_authorizations_reverted on x402_authorizations (customer_id, updated_at)
  where reason = 'reverted';

-- Transactions of the gas wallet, each stored before it is sent: signing it again gives the same
-- one, so that a crash between the two sends no second one.
create table x402_transactions (
  transaction_id text primary key check (transaction_id ~ '^0x[0-9a-f]{64}$'),
  authorization_id text not null references x402_authorizations (id),
  chain_id bigint not null,
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  gas_nonce bigint not null check (gas_nonce >= 0),
  gas numeric(78) not null,
  max_fee numeric(78) not null,
  priority_fee numeric(78) not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Null: it may still be mined.
  ended_at timestamptz
);
-- One at a time, so that no nonce of the wallet is left out, and none is used twice.
create unique index x402_transactions_in_flight on x402_transactions (chain_id, wallet)
  where ended_at is null;
create index x402_transactions_of_authorization on x402_transactions (authorization_id);
create index x402_transactions_of_nonce on x402_transactions (chain_id, wallet, gas_nonce desc);

select withhold_columns('x402_authorizations', fixed => '{id,checkout_id,customer_id,chain_id,token,
  payer,nonce,valid_after,valid_before,created_at}', defaults => '{created_at}');
select withhold_columns('x402_transactions', fixed => '{transaction_id,authorization_id,chain_id,
  wallet,gas_nonce,gas,max_fee,priority_fee,created_at}', defaults => '{created_at}');
