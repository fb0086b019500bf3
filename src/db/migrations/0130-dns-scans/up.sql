-- compatible from: 0001
-- Scans of the DNS records of a domain at its present name servers: a row for each account that
-- made one within the last hour. Unlogged: a crash ends the scans, and begins a new hour.
create unlogged table dns_scans (
  customer_id text primary key,
  -- Of the scans that count, oldest first.
  started_at timestamptz[] not null,
  -- The one that runs now, until its lease is over; null: none.
  token uuid,
  lease_until timestamptz not null
) with (fillfactor = 50);
create index dns_scans_to_purge on dns_scans (lease_until);

-- Packets of all scans to one address: each is sent at a time that is reserved for it alone.
create unlogged table dns_scan_addresses (
  address inet primary key,
  -- The next packet may be sent from then on.
  free_at timestamptz not null
) with (fillfactor = 50);
create index dns_scan_addresses_to_purge on dns_scan_addresses (free_at);
