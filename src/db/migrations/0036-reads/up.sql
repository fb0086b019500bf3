-- Indexes without which a page of a list, or the claim of a job, reads a share of the account or of
-- the table.
-- compatible from: 0023
-- no transaction

-- A page of an account's log by action (of one entry point, or merged over all), and by entry
-- point.
create index concurrently audit_logs_of_customer_by_action
  on audit_logs (customer_id, action, entry_point, id desc) where customer_id is not null;
create index concurrently audit_logs_of_customer_by_entry_point
  on audit_logs (customer_id, entry_point, id desc) where customer_id is not null;

-- A page of what was done to domains: all, of a time, and of an action.
create index concurrently audit_logs_of_domains
  on audit_logs (customer_id, id desc) where target_type = 'domain';
create index concurrently audit_logs_of_domains_by_time
  on audit_logs (customer_id, created_at desc, id desc) where target_type = 'domain';
create index concurrently audit_logs_of_domains_by_action
  on audit_logs (customer_id, action, created_at desc, id desc) where target_type = 'domain';

create index concurrently ledger_entries_of_currency
  on ledger_entries (customer_id, currency, id desc);

create index concurrently orders_open_of_customer on orders (customer_id) where closed_at is null;
create index concurrently orders_to_look_at
  on orders (id) where closed_at is null and (state = 'parked' or alarm is not null);

create index concurrently sessions_open on sessions (customer_id, id desc) where ended_at is null;
create index concurrently oauth_grants_open_of_customer
  on oauth_grants (customer_id, created_at desc, id desc) where revoked_at is null;

-- Claims: only the holdings that a job may take, in the order in which it takes them.
create index concurrently domains_follow_up_due
  on domains ((coalesce(follow_up_at, '-infinity')))
  where wanted_nameservers is not null and ended_at is null;
create index concurrently domains_auto_renew_due
  on domains (
    (greatest((expiry at time zone 'UTC') - interval '336 hours',
       coalesce((auto_renew_at at time zone 'UTC') + interval '24 hours', '-infinity'))))
  where auto_renew and ended_at is null and deletion_at is null
    and not rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}';
create index concurrently domains_expiring_in_order
  on domains (expiry, id) where ended_at is null and expiry is not null;
create index concurrently domains_paid_on_hold
  on domains (lift_hold_at)
  where lift_hold_at is not null and expiry > lift_hold_at and deletion_at is null
    and ended_at is null;

-- A client that nobody consented to yet.
create index concurrently oauth_clients_unused
  on oauth_models (registered_by, created_at desc)
  where model = 'Client' and registered_by is not null;

create index concurrently mails_waiting on mails (run_at, id) where state in ('queued', 'sending');
create index concurrently rate_limits_to_forget on rate_limits (window_start);
