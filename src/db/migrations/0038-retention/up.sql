-- Indexes of the purges: each finds its batch without a look at what is kept.
-- compatible from: 0023
-- no transaction

create index concurrently mails_ended on mails (run_at) where state in ('sent', 'failed');
create index concurrently expiry_notices_to_forget on expiry_notices (expiry);
create index concurrently domain_changes_to_forget on domain_changes (lease_until);
create index concurrently oauth_grants_ended
  on oauth_grants (revoked_at) where revoked_at is not null;
create index concurrently mcp_client_names_to_forget on mcp_client_names (seen_at);
