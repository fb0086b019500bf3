-- The roles of the service and their grants. Roles belong to the whole cluster, grants to this
-- database: so prepare_roles is called at each start, for a dump restored elsewhere and for roles
-- that were made by hand later.
-- before migrations

-- Makes a role and lets this user work as it. False if this user may not.
create or replace function prepare_role(role_name text) returns boolean
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  since_16 constant boolean := current_setting('server_version_num')::int >= 160000;
begin
  begin
    if to_regrole(role_name) is null then
      execute format('create role %I nologin noinherit', role_name);
    end if;
  exception
    -- Another database of this cluster made it at the same moment.
    when duplicate_object or unique_violation then null;
  end;
  begin
    if not pg_has_role(role_name, case when since_16 then 'SET' else 'MEMBER' end) then
      execute format('grant %I to current_user %s', role_name,
                     case when since_16 then 'with inherit false, set true' end);
    end if;
  exception
    when duplicate_object or unique_violation then null;
  end;
  return true;
exception
  when insufficient_privilege or invalid_grant_operation then return false;
end
$$;

-- Large objects and a session's advisory locks reach past tenants and connections. Only a superuser
-- owns their functions.
create or replace function close_system_functions() returns void
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  called regprocedure;
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    return;
  end if;
  for called in
    select oid from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and (proname like 'lo\_%' or proname in ('loread', 'lowrite') or proname like '%advisory%')
  loop
    execute format('revoke execute on function %s from public', called);
    if called::text like '%advisory%' then
      execute format('grant execute on function %s to agent_registrar_app', called);
    end if;
  end loop;
end
$$;

-- Makes rows of a table unchangeable for the service; each later migration calls it for its own
-- tables.
create or replace function make_append_only(
  target regclass, may_insert boolean default true) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  insert into append_only_tables (name, may_insert)
  select relname, make_append_only.may_insert from pg_class where oid = target
  on conflict do nothing;
  if to_regrole('agent_registrar_app') is not null then
    execute format('revoke update, delete, truncate on %s from agent_registrar_app', target);
    if not may_insert then
      execute format('revoke insert on %s from agent_registrar_app', target);
    end if;
  end if;
end
$$;

-- Grants update or insert of the columns of a table that are not withheld, in place of the grant of
-- all columns. This includes columns that a later migration added.
create or replace function grant_columns(
  target name, privilege text, withheld name[]) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  own regclass := format('public.%I', target)::regclass;
  given text;
begin
  if withheld is null or to_regrole('agent_registrar_app') is null then
    return;
  end if;
  if has_table_privilege('agent_registrar_app', own, privilege) then
    execute format('revoke %s on %s from agent_registrar_app', privilege, own);
  end if;
  select string_agg(quote_ident(attname), ', ') into given
    from pg_attribute
   where attrelid = own and attnum > 0 and not attisdropped and attgenerated = ''
     and attname <> all (withheld)
     and not has_column_privilege('agent_registrar_app', attrelid, attnum, privilege);
  if given is not null then
    execute format('grant %s (%s) on %s to agent_registrar_app', privilege, given, own);
  end if;
end
$$;

-- Like make_append_only, with columns as exceptions. With fixed columns the service may update the
-- others; with default columns it inserts rows that get their defaults in these, and with fixed
-- ones alone it inserts none.
create or replace function withhold_columns(
  target regclass, fixed name[] default null, defaults name[] default null) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  perform make_append_only(target, fixed is null or defaults is not null);
  update append_only_tables set fixed_columns = fixed, default_columns = defaults
   where name = (select relname from pg_class where oid = target);
  perform grant_columns(relname, 'update', fixed), grant_columns(relname, 'insert', defaults)
     from pg_class where oid = target;
end
$$;

-- Grants the rights that the service needs, once for each database, since a later migration may
-- revoke some of them permanently.
create or replace function grant_to_roles() returns void
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  kept append_only_tables;
begin
  revoke all on schema public from public;
  grant usage on schema public to agent_registrar_app, agent_registrar_inspector;
  execute format('revoke temporary, create on database %I from public', current_database());
  grant select, insert, update, delete on all tables in schema public to agent_registrar_app;
  grant usage on all sequences in schema public to agent_registrar_app;
  revoke execute on all functions in schema public from public;
  grant execute on all functions in schema public to agent_registrar_app;
  perform close_system_functions();

  -- The records of the migrations are for reading only.
  revoke insert, update, delete on schema_migrations, schema_functions, append_only_tables,
    partitioned_tables, partitions from agent_registrar_app;
  revoke execute on function prepare_role(text), close_system_functions(),
    make_append_only(regclass, boolean), withhold_columns(regclass, name[], name[]),
    grant_columns(name, text, name[]), grant_to_roles(), grant_inspector(), prepare_roles(),
    close_partition(regclass), make_partitioned(regclass, boolean, text, integer),
    audit_archive_partition(jsonb)
    from agent_registrar_app;
  for kept in select * from append_only_tables loop
    execute format('revoke update, delete, truncate on %I from agent_registrar_app', kept.name);
    if not kept.may_insert then
      execute format('revoke insert on %I from agent_registrar_app', kept.name);
    end if;
    perform grant_columns(kept.name, 'update', kept.fixed_columns),
            grant_columns(kept.name, 'insert', kept.default_columns);
  end loop;
  perform close_partition(oid) from pg_class
    where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace;

  -- The same applies to everything that this user makes later. Not "in schema" for functions:
  -- PUBLIC's right to execute is a built-in default, which only the global form takes away.
  alter default privileges revoke execute on functions from public;
  alter default privileges in schema public grant execute on functions to agent_registrar_app;
  alter default privileges in schema public grant usage on sequences to agent_registrar_app;
  alter default privileges in schema public
    grant select, insert, update, delete on tables to agent_registrar_app;
end
$$;

-- Returns 'ready', or 'missing' when this user may not make the roles, work as them, or grant on
-- this schema.
create or replace function prepare_roles() returns text
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  if not (prepare_role('agent_registrar_app') and prepare_role('agent_registrar_inspector')) then
    return 'missing';
  end if;
  if not exists (
    select from pg_default_acl, aclexplode(defaclacl) as granted
    where defaclrole = to_regrole(quote_ident(current_user))
      and defaclnamespace = 'public'::regnamespace and defaclobjtype = 'r'
      and granted.grantee = to_regrole('agent_registrar_app')
  ) then
    perform grant_to_roles();
  end if;
  perform grant_columns(name, 'update', fixed_columns),
          grant_columns(name, 'insert', default_columns)
     from append_only_tables;
  perform grant_inspector();
  return 'ready';
exception
  when insufficient_privilege then return 'missing';
end
$$;
