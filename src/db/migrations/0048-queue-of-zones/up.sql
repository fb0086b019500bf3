-- The zones that wait for a push: those with a push_at that changed since the last one.
-- compatible from: 0037
-- no transaction
create index concurrently zones_queued on zones (push_at)
  where pushed_serial is distinct from serial and push_at is not null;
drop index concurrently if exists zones_to_push;
