-- Enqueues in the caller's transaction. An existing task of the same kind and key:
-- 'keep': nothing changes. 'again': it runs again, at its own time. 'replace': it runs again, at
-- the new time. A dead one is queued again by each of them.
create or replace function tasks_enqueue(
  of_kind text, of_key text, of_bulkhead text, with_payload jsonb, due_at timestamptz,
  existing text) returns void
language sql as $$
  insert into tasks as t (kind, key, bulkhead, payload, run_at)
  values (of_kind, of_key, of_bulkhead, with_payload, due_at)
  on conflict (kind, key) do update
     set version = t.version + 1, bulkhead = excluded.bulkhead, payload = excluded.payload,
         run_at = case when existing = 'replace' or t.dead_at is not null
                       then excluded.run_at else t.run_at end,
         attempts = case when existing = 'replace' or t.dead_at is not null
                         then 0 else t.attempts end,
         dead_at = null
   where existing <> 'keep' or t.dead_at is not null
$$;

create or replace function tasks_cancel(of_kind text, of_key text) returns void
language sql as $$
  delete from tasks where kind = of_kind and key = of_key
$$;
