-- The durable task queue: one row for each task, enqueued in the transaction of its reason.
-- compatible from: 0037
create table tasks (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
  -- Unique for each kind: what the task is about.
  key text not null check (length(key) between 1 and 400),
  -- Tasks of one kind are claimed bulkhead by bulkhead: the registry, or empty.
  bulkhead text not null default '',
  payload jsonb not null default '{}',
  -- Counts up when the key is enqueued again. The end of an earlier version leaves the row due.
  version integer not null default 1,
  -- By the clock of its kind: the database's, or the registries' calendar.
  run_at timestamptz not null default clock_timestamp(),
  -- Failed ones since it was enqueued.
  attempts integer not null default 0,
  -- By the database's clock.
  lease_until timestamptz,
  lease_token text,
  last_error text,
  created_at timestamptz not null default clock_timestamp(),
  -- Dead letter: its attempts are used up, or it can never succeed.
  dead_at timestamptz,
  constraint tasks_once unique (kind, key)
) with (fillfactor = 70);
create index tasks_due on tasks (kind, bulkhead, run_at) where dead_at is null;
create index tasks_died on tasks (dead_at) where dead_at is not null;

create view tasks_dead with (security_invoker = true) as
  select kind, key, bulkhead, payload, attempts, last_error, created_at, dead_at
    from tasks where dead_at is not null;

-- Enqueues in the caller's transaction. What a task of the same kind and key becomes:
-- 'keep': nothing changes. 'again': it runs once more, at its own time. 'replace': it runs once
-- more, at the new time. A dead one is queued anew by each of them.
create function tasks_enqueue(
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

create function tasks_cancel(of_kind text, of_key text) returns void
language sql as $$
  delete from tasks where kind = of_kind and key = of_key
$$;
