-- Partitions by time, made a year ahead. The service has no DDL: it calls functions of the owner,
-- which make and drop nothing but partitions of registered tables.
-- before migrations

-- The end of a partition that begins at a time: the next multiple of its months in a year.
create or replace function partition_end(begins timestamptz, months integer) returns timestamptz
language sql immutable set search_path = pg_catalog set timezone = 'UTC' as $$
  select date_trunc('year', begins)
         + make_interval(months => ((extract(month from begins)::int - 1) / months + 1) * months)
$$;

-- A bound: the time itself, or the least id of that millisecond (48 bits in ten digits).
create or replace function partition_bound(at timestamptz, id_prefix text) returns text
language sql stable set search_path = pg_catalog set timezone = 'UTC' as $$
  select case when id_prefix is null then at::text else id_prefix || '_' || (
    select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + (
             (extract(epoch from at) * 1000)::bigint >> (5 * (9 - n)) & 31)::int, 1), '' order by n)
      from generate_series(0, 9) n) end
$$;

-- The service reaches partitions by their parent alone, so its grants are those of the parent.
create or replace function close_partition(target regclass) returns void
language plpgsql set search_path = pg_catalog, public as $$
begin
  if to_regrole('agent_registrar_app') is not null then
    execute format('revoke insert, update, delete, truncate on %s from agent_registrar_app',
                   target);
  end if;
end
$$;

-- Acquires the advisory lock to create, or to drop, partitions of a table until the transaction
-- ends; false while another session holds it. Each has a lock of its own: the session that holds it
-- checks again after its commit, so a session that was refused leaves no work undone. None is
-- acquired while a partition of the audit log is archived (audit-archives.sql).
create or replace function partition_turn_taken(work text, parent_name name) returns boolean
language sql volatile set search_path = pg_catalog as $$
  select pg_try_advisory_xact_lock_shared(7316403)
     and pg_try_advisory_xact_lock(hashtext('partitions ' || work), hashtext(parent_name))
$$;

-- Creates the partition that follows the newest one of a table, unless that one ends in a year or
-- later; returns its name, or null if none was missing, or another session creates one. Rows of its
-- range that are in the default partition are moved into it, at most `moved_rows`: more are an
-- error. Meanwhile only writers of rows of the default partition, and readers of all partitions,
-- wait: so a lock is waited for one second at most. The parent itself is locked in a mode that
-- stops neither (SHARE UPDATE EXCLUSIVE).
create or replace function partitions_create_next(
  parent_name name, moved_rows integer default 100000) returns name
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set lock_timeout = '1s' set timezone = 'UTC'
as $$
declare
  parent partitioned_tables;
  starts timestamptz;
  ends timestamptz;
  made name;
  key name;
  spare text := format('public.%I', parent_name || '_default');
  low text;
  in_range text;
  found_rows bigint;
begin
  if not partition_turn_taken('create', parent_name) then
    return null;
  end if;
  select * into strict parent from partitioned_tables t where t.name = parent_name;
  select max(p.ends_at) into starts from partitions p where p.parent = parent_name;
  if starts >= clock_timestamp() + interval '1 year' then
    return null;
  end if;
  ends := partition_end(coalesce(starts, clock_timestamp()), parent.months);
  -- The end follows from its own beginning, since a longer one may begin in the middle of its
  -- months.
  made := parent_name
    || to_char(coalesce(starts, ends - make_interval(months => parent.months)), '_YYYY_MM');
  select a.attname into strict key
    from pg_partitioned_table t join pg_attribute a on a.attrelid = t.partrelid
   where t.partrelid = format('public.%I', parent_name)::regclass and a.attnum = t.partattrs[0];
  in_range := format('%I < %L', key, partition_bound(ends, parent.id_prefix));
  if starts is null then
    low := 'minvalue';
  else
    low := quote_literal(partition_bound(starts, parent.id_prefix));
    in_range := format('%I >= %s and ', key, low) || in_range;
  end if;
  -- The order in which queries lock.
  execute format('lock table only public.%I in share update exclusive mode', parent_name);
  execute format('lock table only %s in access exclusive mode', spare);
  execute format('select count(*) from (select from only %s where %s limit %s) s',
                 spare, in_range, moved_rows::bigint + 1) into found_rows;
  if found_rows > moved_rows then
    raise exception 'more than % rows of % are in its default partition: call '
      'partitions_create_next with a greater number of rows when writers may wait',
      moved_rows, made using errcode = 'program_limit_exceeded';
  end if;
  -- With the check, the attachment need not read the table.
  execute format('create table public.%I (like public.%I including defaults including constraints '
                 'including compression including storage, constraint partition_range check (%s)) '
                 'with (fillfactor = %s)', made, parent_name, in_range, parent.fillfactor);
  if found_rows > 0 then
    execute format('with moved as (delete from only %s where %s returning *) '
                   'insert into public.%I overriding system value select * from moved',
                   spare, in_range, made);
  end if;
  execute format('alter table public.%I attach partition public.%I for values from (%s) to (%L)',
                 parent_name, made, low, partition_bound(ends, parent.id_prefix));
  execute format('alter table public.%I drop constraint partition_range', made);
  perform close_partition(format('public.%I', made)::regclass);
  insert into partitions (name, parent, starts_at, ends_at)
  values (made, parent_name, starts, ends);
  return made;
end
$$;

-- Drops the oldest partition of a table if it is empty and ended a month ago; returns its name, or
-- null. The parent is locked for that moment, and the lock is waited for one second at most.
create or replace function partitions_drop_empty(parent_name name) returns name
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set lock_timeout = '1s'
as $$
declare
  oldest name;
  used boolean;
begin
  if not partition_turn_taken('drop', parent_name) then
    return null;
  end if;
  select p.name into oldest
    from partitions p join partitioned_tables t on t.name = p.parent and t.drops_empty
   where p.parent = parent_name and p.ends_at < clock_timestamp() - interval '1 month'
   order by p.ends_at limit 1;
  if not found then
    return null;
  end if;
  -- It looks without a lock first, since usually there are rows.
  execute format('select exists (select from public.%I)', oldest) into used;
  if used then
    return null;
  end if;
  execute format('lock table only public.%I in access exclusive mode', parent_name);
  execute format('lock table only public.%I in access exclusive mode', oldest);
  execute format('select exists (select from public.%I)', oldest) into used;
  if used then
    return null;
  end if;
  execute format('drop table public.%I', oldest);
  delete from partitions p where p.name = oldest;
  return oldest;
end
$$;

-- The problems of the partitions of a table, one row each: rows without a range of their own, or
-- less than half a year ahead.
create or replace function partitions_problems() returns table (parent name, problem text)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  used boolean;
begin
  for parent in select t.name from partitioned_tables t order by t.name loop
    execute format('select exists (select from public.%I)', parent || '_default') into used;
    if used then
      problem := 'rows are in the default partition';
      return next;
    end if;
    if not exists (select from partitions p where p.parent = partitions_problems.parent
                      and p.ends_at > clock_timestamp() + interval '6 months') then
      problem := 'no partition is made for half a year ahead';
      return next;
    end if;
  end loop;
end
$$;

-- Registers a partitioned table, and makes its default partition and those of the year ahead.
create or replace function make_partitioned(
  target regclass, drops_empty boolean, id_prefix text default null,
  fillfactor integer default 100) returns void
language plpgsql set search_path = pg_catalog, public as $$
declare
  parent name := (select relname from pg_class where oid = target);
begin
  insert into partitioned_tables (name, id_prefix, fillfactor, drops_empty)
  values (parent, id_prefix, make_partitioned.fillfactor, make_partitioned.drops_empty);
  execute format('create table public.%I partition of public.%I default with (fillfactor = %s)',
                 parent || '_default', parent, make_partitioned.fillfactor);
  perform close_partition(format('public.%I', parent || '_default')::regclass);
  while partitions_create_next(parent) is not null loop
  end loop;
end
$$;
