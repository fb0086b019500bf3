-- The tables that the service's role may not change, or only in part. The functions that grant and
-- revoke (functions/roles.sql) are applied before the migrations, which call them.
create table append_only_tables (
  name name primary key,
  -- False: rows come only from functions that run with their owner's rights.
  may_insert boolean not null,
  since timestamptz not null default now(),
  -- Columns that the service may not update; null: all of them.
  fixed_columns name[],
  -- Columns that the service may not insert a value of: they get their defaults.
  default_columns name[]
);

-- Before the tables that follow, so that the default privileges cover them.
select prepare_roles();
