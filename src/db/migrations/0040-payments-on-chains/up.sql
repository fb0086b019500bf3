-- compatible from: 0001
-- The block of a payment on a chain: that it is gone is shown by another block at this number.
alter table checkout_payments
  add column block_number bigint check (block_number >= 0),
  add column block_hash text check (length(block_hash) between 1 and 100),
  -- How many readings in a row, apart from each other, have shown that a credited one is gone.
  add column gone_readings integer not null default 0 check (gone_readings >= 0),
  add column gone_read_at timestamptz,
  -- Of the address in all, as read before the credit: credits are never more.
  add column received_units numeric(78) check (received_units >= 0),
  add constraint checkout_payments_block check ((block_number is null) = (block_hash is null));

alter table checkouts
  -- Transactions that its customer reported, the newest last.
  add column reported text[] not null default '{}' check (cardinality(reported) <= 10),
  add column reported_at timestamptz,
  -- When its address's balance was compared with its payments last.
  add column compared_at timestamptz;

select grant_columns('checkout_payments', 'update',
         '{id,checkout_id,asset,network,amount,created_at}'),
       grant_columns('checkout_payments', 'insert', '{created_at}'),
       grant_columns('checkouts', 'update', '{id,customer_id,gateway,amount,currency,created_at}'),
       grant_columns('checkouts', 'insert', '{created_at}');
