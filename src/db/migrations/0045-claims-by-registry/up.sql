-- Jobs claim what is due registry by registry, so that one that is silent holds up no other one's.
-- compatible from: 0037
-- no transaction
create index concurrently orders_due_of_registry on orders (registry, run_at)
  where closed_at is null and state <> 'parked';
create index concurrently domains_follow_up_of_registry
  on domains (registry, (coalesce(follow_up_at, '-infinity')))
  where wanted_nameservers is not null and ended_at is null;
create index concurrently domains_auto_renew_of_registry
  on domains (
    registry,
    (greatest((expiry at time zone 'UTC') - interval '336 hours',
       coalesce((auto_renew_at at time zone 'UTC') + interval '24 hours', '-infinity'))))
  where auto_renew and ended_at is null and deletion_at is null
    and not rgp_statuses && '{redemptionPeriod,pendingRestore,pendingDelete}';
create index concurrently domains_codes_of_registry on domains (registry, auth_code_unset_at)
  where auth_code_unset_at is not null and ended_at is null;
create index concurrently domains_paid_on_hold_of_registry on domains (registry, lift_hold_at)
  where lift_hold_at is not null and expiry > lift_hold_at and deletion_at is null
    and ended_at is null;
-- Those without the registry.
drop index concurrently if exists orders_due;
drop index concurrently if exists domains_follow_up_due;
drop index concurrently if exists domains_auto_renew_due;
drop index concurrently if exists domains_auth_code_due;
drop index concurrently if exists domains_paid_on_hold;
drop index concurrently if exists domains_on_unpaid_hold;
