-- The last id of a customer's lines in a currency that were posted before a moment, or 0 if there
-- was none. Ids and times of one account grow together, as its lock is held while a line is
-- written, so a binary search finds it by the index that the lists read. Where a clock was set
-- back, the answer is still the same each time, so that statements of successive months fit
-- together.
create or replace function ledger_last_before(customer text, currency text, moment timestamptz)
returns bigint language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  low bigint := 0;
  high bigint;
  middle bigint;
  line record;
begin
  select max(t.id) into high from ledger_transfers t
   where t.customer_id = ledger_last_before.customer
     and t.currency = ledger_last_before.currency;
  -- Every line up to low was posted before the moment, and none above high.
  while low < coalesce(high, 0) loop
    middle := low + (high - low + 1) / 2;
    select t.id, t.created_at into line from ledger_transfers t
     where t.customer_id = ledger_last_before.customer
       and t.currency = ledger_last_before.currency and t.id > low and t.id <= middle
     order by t.id desc limit 1;
    if line.id is null or line.created_at < moment then
      low := middle;
    else
      high := line.id - 1;
    end if;
  end loop;
  return low;
end $$;
