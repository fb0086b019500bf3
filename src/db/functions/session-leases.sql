-- Acquires up to `wanted` leases of a registry, so that no more than `budget` are held in total,
-- and leaves one for each node that has fewer, or the same number and has waited longer. A node
-- that gets fewer waits: other nodes see its mark for `mark_ms`, and are notified when it is new.
-- The result also says whether another node waits for a lease.
create or replace function session_leases_acquire(
  asked_registry text, asking_node text, budget integer, wanted integer, lease_ms integer,
  mark_ms integer)
returns table (lease_id bigint, waited_for boolean)
language plpgsql as $$
declare
  free integer;
  held integer;
  ahead integer;
  waits_since timestamptz;
begin
  -- Serialized: two transactions that count at the same time would both see the last one free.
  perform pg_advisory_xact_lock(hashtextextended('session_leases ' || asked_registry, 0));
  delete from session_leases s
   where s.registry = asked_registry and s.lease_until <= clock_timestamp();
  delete from session_lease_waits w
   where w.registry = asked_registry and w.lease_until <= clock_timestamp();
  select budget - count(*), count(*) filter (where s.node = asking_node) into free, held
    from session_leases s where s.registry = asked_registry;
  select w.since into waits_since
    from session_lease_waits w where w.registry = asked_registry and w.node = asking_node;

  waited_for := exists (select from session_lease_waits w
                         where w.registry = asked_registry and w.node <> asking_node);
  while wanted > 0 and free > 0 loop
    select count(*) into ahead
      from session_lease_waits w,
           lateral (select count(*) as leases from session_leases s
                     where s.registry = w.registry and s.node = w.node) as has
     where w.registry = asked_registry and w.node <> asking_node
       and (has.leases, w.since) < (held, coalesce(waits_since, 'infinity'));
    exit when free <= ahead;
    insert into session_leases as s (registry, number, node, lease_until)
    select asked_registry, min(n), asking_node,
           clock_timestamp() + lease_ms * interval '1 millisecond'
      from generate_series(1, budget) as n
     where not exists (select from session_leases t
                        where t.registry = asked_registry and t.number = n)
    returning s.lease_id into lease_id;
    return next;
    wanted := wanted - 1;
    free := free - 1;
    held := held + 1;
  end loop;

  if wanted = 0 then
    delete from session_lease_waits w
     where w.registry = asked_registry and w.node = asking_node;
    return;
  end if;
  insert into session_lease_waits as w (registry, node, lease_until)
  values (asked_registry, asking_node, clock_timestamp() + mark_ms * interval '1 millisecond')
  on conflict (registry, node) do update set lease_until = excluded.lease_until;
  if waits_since is null then
    perform pg_notify('session_leases', asked_registry);
  end if;
end $$;
