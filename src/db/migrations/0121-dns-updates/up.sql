-- compatible from: 0001
-- Updates of DNS (RFC 2136) are calls of their own entry point. Not validated: the rows that are
-- there were written under the narrower constraint.
alter table audit_logs drop constraint audit_logs_entry_point_check;
alter table audit_logs add constraint audit_logs_entry_point_check
  check (entry_point in ('rest', 'mcp', 'dashboard', 'internal', 'job', 'cli', 'webhook', 'dns'))
  not valid;

-- Signed updates and zone transfers of the last minutes, so that none is carried out twice, on any
-- node (RFC 8945 part 10).
create table dns_signed_requests (
  -- No reference: a key may be deleted meanwhile.
  tsig_key_id text not null,
  -- Of the request; it covers its time.
  mac bytea not null,
  -- Of an update its answer; null: it is being carried out, was interrupted, or is a transfer.
  rcode integer check (rcode between 0 and 15),
  -- By then its signature is too old on every node.
  expires_at timestamptz not null,
  primary key (tsig_key_id, mac)
);
create index dns_signed_requests_expires_at on dns_signed_requests (expires_at);
