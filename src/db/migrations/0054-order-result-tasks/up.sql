-- The results of orders that owners are notified of wait in the task queue.
-- compatible from: 0037
create function orders_enqueue_result() returns trigger
language plpgsql as $$
begin
  perform tasks_enqueue(
    'notify_order_result', new.id, '', jsonb_build_object('order_id', new.id), clock_timestamp(),
    'keep');
  return null;
end $$;
create trigger orders_enqueue_result_new after insert on orders
  for each row when (
    new.closed_at is not null and new.told_at is null
    and (new.type in ('transfer', 'restore')
         or new.type = 'renew' and new.command->>'automatic' = 'true'))
  execute function orders_enqueue_result();
create trigger orders_enqueue_result after update of closed_at on orders
  for each row when (
    new.closed_at is not null and old.closed_at is null and new.told_at is null
    and (new.type in ('transfer', 'restore')
         or new.type = 'renew' and new.command->>'automatic' = 'true'))
  execute function orders_enqueue_result();
insert into tasks (kind, key, payload, run_at, created_at)
  select 'notify_order_result', id, jsonb_build_object('order_id', id),
         coalesce(tell_again_at, closed_at), closed_at
    from orders
   where closed_at is not null and told_at is null
     and (type in ('transfer', 'restore')
          or type = 'renew' and command->>'automatic' = 'true');
