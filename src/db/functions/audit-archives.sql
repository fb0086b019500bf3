-- The end of archiving: a partition of the audit log is dropped once its archive is written and
-- verified. Operators alone may call it, with the owner's rights: the service's role may not.
-- before migrations

-- Records the archive of a partition, keeps the hashes of its rows in blocks that it shares with
-- other partitions, and drops it. Refuses any partition but the oldest, one that ended less than a
-- year ago, and one that has other rows than the record says.
-- Rows are counted under a lock that stops only writers to this partition. The parent is locked for
-- the moment of the drop, and each lock is waited for one second at most.
create or replace function audit_archive_partition(entry jsonb) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set lock_timeout = '1s' set timezone = 'UTC'
as $$
declare
  facts audit_archives := jsonb_populate_record(
    null::audit_archives, entry - array['merkle_root', 'sha256', 'record_hash', 'signature',
                                        'public_key']);
  part partitions;
  here record;
begin
  perform pg_advisory_xact_lock(7316403);
  select * into part from partitions p
   where p.parent = 'audit_logs' and p.name = facts.name and p.ends_at = facts.ends_at;
  if not found then
    raise exception 'audit_logs has no partition % with this end', facts.name;
  end if;
  if part.ends_at > clock_timestamp() - interval '1 year' then
    raise exception 'partition % ended less than a year ago', part.name;
  end if;
  if exists (select from partitions p
              where p.parent = 'audit_logs' and p.ends_at < part.ends_at) then
    raise exception 'partition % is not the oldest', part.name;
  end if;
  execute format('lock table only public.%I in share mode', part.name);
  execute format('select count(*) as row_count, min(id) as first_id, max(id) as last_id
                    from public.%I', part.name) into here;
  if (here.row_count, here.first_id, here.last_id)
     is distinct from (facts.row_count, facts.first_id, facts.last_id) then
    raise exception 'partition % has other rows than its archive', part.name;
  end if;
  facts.merkle_root := decode(entry->>'merkle_root', 'hex');
  facts.sha256 := decode(entry->>'sha256', 'hex');
  facts.record_hash := decode(entry->>'record_hash', 'hex');
  facts.signature := decode(entry->>'signature', 'base64');
  facts.public_key := decode(entry->>'public_key', 'base64');
  insert into audit_archives select facts.*;
  execute format(
    'insert into audit_archived_leaves (number, xid, id, archive, row_hash)
     select b.number, a.xid, a.id, %L, a.row_hash
       from jsonb_to_recordset(%L) as shared (number bigint)
       join audit_blocks b on b.number = shared.number
       left join lateral (select min(e.first_id) as id from audit_eras e where e.era > b.era) ends
         on true
       join public.%I a on (a.xid, a.id) > (b.from_xid, b.from_id)
        and (a.xid, a.id) <= (b.to_xid, b.to_id)
        and a.id >= b.first_id and (ends.id is null or a.id < ends.id)',
    part.name, facts.partial_blocks, part.name);
  execute 'lock table only public.audit_logs in access exclusive mode';
  execute format('drop table public.%I', part.name);
  delete from partitions p where p.name = part.name;
end
$$;
