-- compatible from: 0001
-- DNS records that a transfer in was ordered with: stored right before its order, put into the zone
-- in the transaction that makes the holding, and deleted then or when the order ends otherwise.
create table ordered_dns_records (
  -- Without a reference: the order is placed a moment later.
  order_id text primary key,
  customer_id text not null,
  -- The id of the change of records that they become.
  change_id text not null check (change_id ~ '^dch_[0-9a-z]{26}$'),
  -- As in the audit log: the kind of the caller, its name, and how it came in.
  actor_type text not null,
  actor_label text,
  entry_point text not null,
  -- [{path, type, host, ttl, rdata: [hexadecimal]}]
  sets jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index ordered_dns_records_created_at on ordered_dns_records (created_at);
