-- Double entry: one row is one transfer of an amount from the debit account to the credit account,
-- in the shape of TigerBeetle's. Amounts are minor units, above zero. A customer's account is a
-- liability: credits raise it. A transfer in two phases is pending first, and then posted or voided
-- by a second one.

-- A customer's account carries its balance, for the lock and the check against overdrafts. Accounts
-- of our own (code other than 'customer') are sums of their transfers, as a row that every purchase
-- updates would serialise all of them. A new one is a row: ledger_open_account.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  code text not null check (code ~ '^[a-z][a-z0-9_]{0,62}$'),
  currency text not null check (currency in ('USD', 'EUR')),
  customer_id text references customers (id),
  -- Of a reserve: the customer who keeps it for renewals (code 'reserve').
  reserve_of text references customers (id),
  -- Of a customer: what may be spent, and what pending transfers hold. Of a reserve: all of it.
  available bigint,
  held bigint,
  -- Of a customer: what a reversed payment took that was spent already. Credits and releases pay it
  -- first, and nothing is bought meanwhile (ledger_collect).
  owed bigint,
  updated_at timestamptz not null default clock_timestamp(),
  -- For the foreign keys: the id of an account of our own.
  own_id bigint generated always as (case when customer_id is null then id end) stored,
  reserve_key text not null generated always as (coalesce(reserve_of, '')) stored,
  constraint no_overdraft check (available >= 0),
  constraint no_negative_hold check (held >= 0),
  constraint no_negative_debt check (owed >= 0),
  constraint ledger_accounts_owner check (
    case code when 'customer' then customer_id is not null and reserve_of is null
                                   and available is not null and held is not null
                                   and owed is not null
              when 'reserve' then customer_id is null and reserve_of is not null
                                  and available is not null and held is null and owed is null
              else num_nonnulls(customer_id, reserve_of, available, held, owed) = 0 end),
  -- The targets of the foreign keys of transfers: an account of our own, or a reserve, with its
  -- currency, and a customer's with its owner. So no transfer goes from one customer to another,
  -- and money comes into a reserve, and leaves it, only from and to the account of its owner.
  constraint ledger_accounts_currency unique (own_id, currency, reserve_key),
  constraint ledger_accounts_customer unique (id, customer_id, currency)
) with (fillfactor = 60);
create unique index ledger_accounts_of_customer on ledger_accounts (customer_id, currency)
  where customer_id is not null;
create unique index ledger_accounts_own on ledger_accounts (code, currency)
  where customer_id is null and reserve_of is null;
create unique index ledger_accounts_reserve on ledger_accounts (reserve_of, currency)
  where reserve_of is not null;
insert into ledger_accounts (code, currency)
  select code, currency
    from unnest('{processor,gateway,sales,adjustments,receivable}'::text[]) code,
         unnest('{USD,EUR}'::text[]) currency;

create table ledger_transfers (
  id bigint generated always as identity primary key,
  debit_account bigint not null,
  credit_account bigint not null,
  -- The customer's account, if one of the two is; and its owner.
  customer_account bigint,
  customer_id text,
  currency text not null,
  amount bigint not null check (amount > 0),
  -- single: in one phase. post and void end the pending transfer of pending_id.
  phase text not null check (phase in ('single', 'pending', 'post', 'void')),
  pending_id bigint,
  -- The reason. Each has its evidence below.
  code text not null check (code in ('purchase', 'top_up', 'refund', 'reversal', 'adjustment',
                                    'reserve')),
  -- The balance of the customer's account after it.
  available_after bigint,
  held_after bigint,
  description text not null,
  domain text,
  operation_id text,
  checkout_id text,
  invoice_id bigint,
  payment_id text,
  reversal_id text,
  adjustment_id text,
  created_at timestamptz not null default clock_timestamp(),
  -- For the foreign keys: the account of our own, and the second one where neither is a customer's.
  own_account bigint generated always as (
    case when customer_account = debit_account then credit_account else debit_account end) stored,
  own_credit_account bigint
    generated always as (case when customer_account is null then credit_account end) stored,
  own_reserve text not null generated always as (
    case when code = 'reserve' then customer_id else '' end) stored,
  held_order text generated always as (case when phase = 'pending' then operation_id end) stored,
  pending_key bigint generated always as (case when phase = 'pending' then id end) stored,
  credited_payment text
    generated always as (case when code = 'top_up' then payment_id end) stored,
  check (debit_account <> credit_account),
  check ((pending_id is not null) = (phase in ('post', 'void'))),
  constraint ledger_transfer_of_customer check (
    case when customer_account is null then customer_id is null
         else customer_account in (debit_account, credit_account) and customer_id is not null
              and available_after is not null and held_after is not null end),
  constraint ledger_transfer_evidence check (
    case code
      when 'purchase' then phase <> 'single' and operation_id is not null
                           and customer_account is not distinct from debit_account
      when 'top_up' then phase = 'single' and payment_id is not null
                         and customer_account is not distinct from credit_account
      -- Of a payment; or, without a reversal of its own, the collection of a receivable out of a
      -- later credit (payment_id, adjustment_id) or release (operation_id).
      when 'reversal' then phase = 'single'
                           and num_nonnulls(reversal_id, payment_id, operation_id, adjustment_id)
                               >= 1
      -- Between a customer's account and their reserve: by the owner, for an order (operation_id),
      -- or because a payment was reversed (payment_id).
      when 'reserve' then phase = 'single' and customer_account is not null
                          and num_nonnulls(operation_id, payment_id) <= 1
                          and num_nonnulls(reversal_id, adjustment_id) = 0
      else phase = 'single' and adjustment_id is not null
    end),
  constraint ledger_own_account foreign key (own_account, currency, own_reserve)
    references ledger_accounts (own_id, currency, reserve_key),
  constraint ledger_own_credit_account foreign key (own_credit_account, currency, own_reserve)
    references ledger_accounts (own_id, currency, reserve_key),
  foreign key (customer_account, customer_id, currency)
    references ledger_accounts (id, customer_id, currency),
  constraint ledger_hold_has_order foreign key (held_order, customer_id, currency, amount)
    references orders (id, customer_id, currency, amount)
);
create index ledger_transfers_of_customer on ledger_transfers (customer_id, id desc);
create index ledger_transfers_of_currency on ledger_transfers (customer_id, currency, id desc);
-- The amounts that owners and operators set: moves of no order and no payment.
create index ledger_reserve_settings on ledger_transfers (customer_id, currency, id)
  where code = 'reserve' and operation_id is null and payment_id is null;
-- For exports of days. Block ranges, as rows are appended in the order of their times: it costs a
-- purchase nothing, where each transfer would be written into a tree.
create index ledger_transfers_by_time on ledger_transfers using brin (created_at)
  with (autosummarize = on);
-- Invariant I5: one hold, and one end of it, for each operation.
create unique index ledger_one_hold on ledger_transfers (operation_id) where phase = 'pending';
create unique index ledger_one_end on ledger_transfers (operation_id)
  where phase in ('post', 'void');
create unique index ledger_one_credit on ledger_transfers (payment_id) where code = 'top_up';
-- A reversal takes from the balance once, and from the receivable once.
create unique index ledger_one_reversal on ledger_transfers (reversal_id, (customer_id is null))
  where reversal_id is not null;
create unique index ledger_one_adjustment on ledger_transfers (adjustment_id)
  where code in ('adjustment', 'refund');
-- The end of a pending transfer is between the same accounts, of the same amount and operation.
alter table ledger_transfers
  add constraint ledger_pending_key
    unique (pending_key, debit_account, credit_account, amount, operation_id),
  add constraint ledger_end_has_hold
    foreign key (pending_id, debit_account, credit_account, amount, operation_id)
    references ledger_transfers (pending_key, debit_account, credit_account, amount, operation_id);

-- The lines of customers' statements: the transfers by their effect on the customer's account.
create view ledger_entries with (security_invoker = true) as
  select id, customer_id, currency,
         case phase when 'pending' then 'hold' when 'post' then 'capture' when 'void' then 'release'
                    else code end as type,
         case when phase = 'void' or phase = 'single' and customer_account = credit_account
              then amount else -amount end as amount,
         available_after, held_after, description, domain, operation_id, checkout_id, invoice_id,
         created_at
    from ledger_transfers where customer_id is not null;

-- The trial balance: what was debited and credited, and what is pending, by account code.
create view ledger_trial_balance with (security_invoker = true) as
  select a.code, a.currency,
         coalesce(sum(t.amount) filter (where t.debit_account = a.id
                                          and t.phase in ('single', 'post')), 0) as debits,
         coalesce(sum(t.amount) filter (where t.credit_account = a.id
                                          and t.phase in ('single', 'post')), 0) as credits,
         coalesce(sum(case t.phase when 'pending' then t.amount else -t.amount end)
                    filter (where t.phase <> 'single'), 0) as pending
    from ledger_accounts a
    left join ledger_transfers t on a.id in (t.debit_account, t.credit_account)
   group by a.code, a.currency;

-- Money that came in, each payment once and for good by the id that its rail gives it, such as
-- stripe:cs_..., btcpay/STORE/PAYMENT or eip155:CHAIN/TRANSACTION/LOG: all rails of one chain share
-- its ids, so that no two of them credit the same transfer.
create table payments (
  id text primary key check (length(id) between 1 and 300),
  customer_id text not null references customers (id),
  currency text not null,
  amount bigint not null check (amount > 0),
  -- Our account that it came in to.
  account text not null check (account in ('processor', 'gateway')),
  checkout_id text,
  processor_checkout_session_id text unique,
  processor_payment_intent_id text unique,
  transfer_id bigint not null references ledger_transfers (id),
  created_at timestamptz not null default clock_timestamp(),
  -- The targets of foreign keys.
  constraint payments_amount unique (id, customer_id, currency, amount),
  constraint payments_transfer unique (transfer_id)
);
create index payments_of_checkout on payments (checkout_id) where checkout_id is not null;
create index payments_of_customer on payments (customer_id, transfer_id desc);
create index payments_by_time on payments (created_at);
-- At commit, as the payment names its transfer and the transfer its payment.
alter table ledger_transfers add constraint ledger_credit_has_payment
  foreign key (credited_payment, customer_id, currency, amount)
  references payments (id, customer_id, currency, amount)
  deferrable initially deferred;

-- A reversal takes a payment back, in whole or in part, or gives it again (reinstatement: a dispute
-- that was won, a transaction that came back after a reorganisation), each once and for good.
create table payment_reversals (
  id text primary key check (length(id) between 1 and 300),
  payment_id text not null references payments (id),
  kind text not null check (kind in ('refund', 'dispute', 'reorganisation', 'reinstatement')),
  customer_id text not null references customers (id),
  currency text not null,
  amount bigint not null check (amount > 0),
  -- Of the amount: what the balance did not reach, and so became a receivable.
  shortfall bigint not null check (shortfall between 0 and amount),
  description text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint payment_reversals_credit check (kind <> 'reinstatement' or shortfall = 0)
);
create index payment_reversals_of on payment_reversals (payment_id);
alter table ledger_transfers
  add foreign key (reversal_id) references payment_reversals (id) deferrable initially deferred,
  add foreign key (payment_id) references payments (id) deferrable initially deferred;

-- Corrections by an operator, with a reason: money given or taken without a payment, or given back
-- for an order.
create table ledger_adjustments (
  id text primary key check (length(id) between 1 and 100),
  kind text not null check (kind in ('adjustment', 'refund')),
  customer_id text not null references customers (id),
  currency text not null,
  -- Below zero: taken from the balance.
  amount bigint not null check (amount <> 0 and (kind = 'adjustment' or amount > 0)),
  operation_id text references orders (id),
  reason text not null check (length(reason) between 1 and 500),
  transfer_id bigint not null references ledger_transfers (id),
  created_at timestamptz not null default clock_timestamp(),
  constraint ledger_adjustments_order check ((kind = 'refund') = (operation_id is not null))
);
create index ledger_adjustments_of_order on ledger_adjustments (operation_id)
  where operation_id is not null;
alter table ledger_transfers
  add foreign key (adjustment_id) references ledger_adjustments (id) deferrable initially deferred;

select make_append_only('ledger_accounts', false);
select make_append_only('ledger_transfers', false);
select make_append_only('payments', false);
select make_append_only('payment_reversals', false);
select make_append_only('ledger_adjustments', false);

-- The movement of a buyer's money by a step of an order: hold | capture | release of an amount
-- above 0.
create type ledger_move as (
  type text, customer_id text, currency text, amount bigint, description text, domain text,
  operation_id text);
