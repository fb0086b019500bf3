-- The path of a checkout's deposit address, which is the same at each call and of no other
-- checkout. It runs with its owner's rights, since the service itself changes none.
create or replace function deposit_path_of(
  checkout text, out branch integer, out address_index integer) returns record
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  started timestamptz := pg_postmaster_start_time();
  own_database oid := (select oid from pg_database where datname = current_database());
  own_table oid := 'public.deposit_branches'::regclass::oid;
  of_branch integer;
  of_index integer;
begin
  select p.branch, p.address_index into of_branch, of_index
    from deposit_paths p where p.checkout_id = checkout;
  if not found then
    if not exists (select from deposit_branches b
                    where (b.server_started_at, b.database_id, b.table_id)
                        = (started, own_database, own_table)) then
      -- 1.7e9 is in November 2023: an integer holds the seconds since then until 2091.
      insert into deposit_branches (branch, server_started_at, database_id, table_id)
      select greatest(extract(epoch from clock_timestamp())::bigint - 1700000000,
                      coalesce(max(b.branch) + 1, 0)), started, own_database, own_table
        from deposit_branches b
      on conflict do nothing;
    end if;
    update deposit_branches b set next_index = b.next_index + 1
     where (b.server_started_at, b.database_id, b.table_id)
         = (started, own_database, own_table)
    returning b.branch, b.next_index - 1 into strict of_branch, of_index;
    insert into deposit_paths (checkout_id, branch, address_index)
    values (checkout, of_branch, of_index)
    on conflict (checkout_id) do nothing;
    -- A concurrent call for the same checkout stored it; the index of this call stays unused.
    select p.branch, p.address_index into strict of_branch, of_index
      from deposit_paths p where p.checkout_id = checkout;
  end if;
  branch := of_branch;
  address_index := of_index;
end $$;
